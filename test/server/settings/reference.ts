/** docs/configuration.md, as the settings' schema has it. */
import { listSettings, type Setting } from "../../../src/server/settings/list";

export function configurationReference(): string {
  return `# Settings of the server

The server reads one JSON file, given with \`--config FILE\` or \`INV_CONFIG=FILE\`. A setting that is left out has its
default; an environment variable overrides the file. \`--check\` says whether all is right, and names every mistake with its
path and what is allowed there; \`--check --connect\` also tries the Redis. [deploy.md](deploy.md) has an example for a real
portal.

| setting | what it means | allowed | default | variable |
| --- | --- | --- | --- | --- |
${listSettings().map(row).join("\n")}

\`environments[].…\` stands for each member of the list. The file holds no secrets: each person types their own in the
pane, or the file names where they stand (another file, or a variable).
`;
}

function row({ path, meaning, allowed, preset, isNeeded, variable }: Setting): string {
  const otherwise = isNeeded ? "needed" : preset === null ? "none" : `\`${preset}\``;
  return `| \`${path}\` | ${meaning} | ${allowed} | ${otherwise} | ${variable === null ? "" : `\`${variable}\``} |`;
}
