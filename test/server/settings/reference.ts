/** The text of docs/settings.md, from the settings' schema. */
import { listSettings, type Setting } from "../../../src/server/settings/list";
import { settingsSchema } from "../../../src/server/settings/schema";

export function configurationReference(): string {
  return `# Settings of the server

The server reads one JSON file in UTF-8, given with \`--config FILE\` ([example](install.md#the-server)). The variable \`PORT\` overrides
\`port\`. The file contains no secrets, only their places: a variable (\`env:NAME\`) or another file (\`file:PATH\`) with the secret and
nothing else. INV reads a secret again for each new token, sign-in and connection to Redis, but a proxy's only at the start.
\`environments[]\` means each environment of the list. In parentheses: what is allowed, and the default.

${listSettings(settingsSchema).map(line).join("\n")}
`;
}

function line({ path, meaning, allowed, preset, isNeeded }: Setting): string {
  const otherwise = isNeeded ? "needed" : preset === null ? "" : `\`${preset}\``;
  const values = [allowed, otherwise].filter((text) => text !== "").join("; ");
  return `- \`${path}\`${values === "" ? "" : ` (${values})`}: ${meaning}`;
}
