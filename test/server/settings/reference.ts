/** The text of docs/configuration.md, from the settings' schema. */
import { listSettings, type Setting } from "../../../src/server/settings/list";
import { settingsSchema } from "../../../src/server/settings/schema";

export function configurationReference(): string {
  return `# Settings of the server

The server reads one JSON file, given with \`--config FILE\`. A setting that you leave out has its default. The variable
\`PORT\` overrides \`port\`. \`--check\` names every mistake with its path and what is allowed; \`--check --connect\` also tries what it
names. [deploy.md](deploy.md) has an example for a real portal.

| setting | what it means | allowed | default |
| --- | --- | --- | --- |
${listSettings(settingsSchema).map(row).join("\n")}

\`environments[].…\` means each member of the list. The file contains no secrets: people type their own in the pane, or the
file names another file (\`file:PATH\`) or a variable (\`env:NAME\`) that contains one.
`;
}

function row({ path, meaning, allowed, preset, isNeeded }: Setting): string {
  const otherwise = isNeeded ? "needed" : preset === null ? "none" : `\`${preset}\``;
  return `| \`${path}\` | ${meaning} | ${allowed} | ${otherwise} |`;
}
