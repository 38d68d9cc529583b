/** docs/configuration.md, as the settings' schema has it. */
import { listSettings, type Setting } from "../../../src/server/settings/list";

export function configurationReference(): string {
  return `# Settings of the server

One JSON file, given with \`--config FILE\` or \`INV_CONFIG=FILE\`. What is left out has its default. A variable of the
environment goes before the file. \`--check\` says whether all is right; every mistake is named with its path and what is
allowed there. \`--check --connect\` also tries the Redis that is named. [deploy.md](deploy.md) has an example for a real portal.

| setting | what it means | allowed | default | variable |
| --- | --- | --- | --- | --- |
${listSettings().map(row).join("\n")}

\`environments[].…\` stands for each member of the list. Secrets have no place here: each person types their own in the
pane, or they stand in a file or variable that is named.
`;
}

function row({ path, meaning, allowed, preset, isNeeded, variable }: Setting): string {
  const otherwise = isNeeded ? "needed" : preset === null ? "none" : `\`${preset}\``;
  return `| \`${path}\` | ${meaning} | ${allowed} | ${otherwise} | ${variable === null ? "" : `\`${variable}\``} |`;
}
