/** Before the browser tests: one server over the build, one unpacked browser, their addresses in variables. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findBrowser } from "../helpers/browser-binary";
import { moveTests } from "../helpers/moved-date";
import { type ServerProcess, startServer } from "../helpers/server-process";

declare global {
  var invTestServer: ServerProcess | undefined;
}

export default async function globalSetup(): Promise<void> {
  if (!existsSync(join(__dirname, "..", "..", "dist", "server.js"))) {
    throw new Error("There is no build to test: run `npm run build` first (`npm test` does).");
  }
  const browser = findBrowser();
  process.env.INV_TEST_BROWSER = JSON.stringify(browser);
  moveTests();
  globalThis.invTestServer = await startServer("server");
  process.env.INV_TEST_ORIGIN = globalThis.invTestServer.origin;
}
