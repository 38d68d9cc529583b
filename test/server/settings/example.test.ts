/** `serve --example` prints only the configuration that the documentation explains. It is valid as it is. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "../../../src/server/settings/read";
import { ownFolder } from "../../helpers/own-folder";

const folder = ownFolder();
const serve = join(__dirname, "..", "..", "..", "src", "start", "serve.mjs");

it("writes only a configuration that the server accepts, with a sandbox and production", () => {
  const path = join(folder.path, "inv.json");
  writeFileSync(path, execFileSync(process.execPath, [serve, "--example"]));
  const { environments, port, host } = readSettings({ path, variables: {} });
  expect(environments.map(({ id, kind, authorization }) => [id, kind, authorization])).toEqual([
    ["sandbox", "sandbox", "bearer"],
    ["production", "production", "bare"],
  ]);
  expect([host, port]).toEqual(["localhost", 3000]);
});
