/**
 * Setup before the browser tests: it unpacks one browser and starts one server over the build for each worker, so that
 * no test uses another's quota. Without a cache, no test gets an answer that another fetched up to 15 minutes before, whose age
 * would depend on how fast the tests run. Environment variables pass their addresses to the tests.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findBrowser } from "../helpers/browser-binary";
import { moveTests } from "../helpers/moved-date";
import { type ServerProcess, startServer } from "../helpers/server-process";

declare global {
  var invTestServers: readonly ServerProcess[] | undefined;
}

export default async function globalSetup({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  if (!existsSync(join(__dirname, "..", "..", "dist", "server.js"))) {
    throw new Error("There is no build to test: run `npm run build` first (`npm test` does).");
  }
  const browser = findBrowser();
  process.env.INV_TEST_BROWSER = JSON.stringify(browser);
  moveTests();
  const settings = { cacheMegabytes: 0 };
  const servers = await Promise.all(
    Array.from({ length: maxWorkers }, () => startServer("server", { settings })),
  );
  globalThis.invTestServers = servers;
  process.env.INV_TEST_ORIGINS = JSON.stringify(servers.map(({ origin }) => origin));
}
