/** The text of docs/configuration.md, from the settings' schema. */
import { listSettings, type Setting } from "../../../src/server/settings/list";
import { settingsSchema } from "../../../src/server/settings/schema";

export function configurationReference(): string {
  return `# Settings of the server

The server reads one JSON file, given with \`--config FILE\` or \`INV_CONFIG=FILE\`. A setting that you leave out has its
default. An environment variable overrides the file. \`--check\` names every mistake with its path and the allowed values;
\`--check --connect\` also tries what it names. [deploy.md](deploy.md) has an example for a real portal.

| setting | what it means | allowed | default | variable |
| --- | --- | --- | --- | --- |
${listSettings(settingsSchema).map(row).join("\n")}

\`environments[].…\` means each member of the list. The file contains no secrets: people type their own in the pane, or the
file names another file (\`file:PATH\`) or a variable (\`env:NAME\`) that contains one. The variables \`HTTPS_PROXY\` and \`NO_PROXY\`
name your company's outgoing proxy and the hosts that are called without it.
`;
}

function row({ path, meaning, allowed, preset, isNeeded, variable }: Setting): string {
  const otherwise = isNeeded ? "needed" : preset === null ? "none" : `\`${preset}\``;
  return `| \`${path}\` | ${meaning} | ${allowed} | ${otherwise} | ${variable === null ? "" : `\`${variable}\``} |`;
}
