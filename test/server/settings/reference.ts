/** The text of docs/settings.md, from the settings' schema. */
import { listSettings, type Setting } from "../../../src/server/settings/list";
import { settingsSchema } from "../../../src/server/settings/schema";

export function configurationReference(): string {
  return `# Settings of the server

The server reads one JSON file in UTF-8, given with \`--config FILE\` ([example](install.md#the-server)). A setting that you leave out
has its default. The variable \`PORT\` overrides \`port\`. The file contains no secrets: people type their own in the pane, or the file names
a variable (\`env:NAME\`) or another file (\`file:PATH\`) that contains one and nothing else. INV reads a secret again for each new
token, sign-in and connection to Redis, but a proxy's only at the start.

| setting | what it means | allowed | default |
| --- | --- | --- | --- |
${listSettings(settingsSchema).map(row).join("\n")}

\`environments[].…\` means each member of the list.
`;
}

function row({ path, meaning, allowed, preset, isNeeded }: Setting): string {
  const otherwise = isNeeded ? "needed" : preset === null ? "none" : `\`${preset}\``;
  return `| \`${path}\` | ${meaning} | ${allowed} | ${otherwise} |`;
}
