/**
 * `npm run dev`: builds the server and the pages after each change. The server restarts when its sources
 * change, and open browser workbooks reload. It builds for development into .cache/dev, without type checks,
 * lint or tests. The arguments go to the server. After a change of webpack.config.js or src/build, start the
 * command again.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkNode, install, root } from "./prepare.mjs";

checkNode();
install();
const { default: webpack } = await import("webpack");
const { default: buildsFor } = await import("../../webpack.config.js");

const out = join(".cache", "dev");
const compiler = webpack(buildsFor({ out, reload: true, checks: true }, { mode: "development" }));
let server = null;
console.log("Building for development …");
compiler.watch({ aggregateTimeout: 20 }, (error, built) => void onBuilt(error, built));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server?.kill("SIGKILL");
    compiler.close(() => process.exit(0));
  });
}

/**
 * A failed build doesn't stop the others.
 * @param {import("webpack").MultiStats} [built] the builds that have just ended
 */
async function onBuilt(error, built) {
  if (error) return console.error(error);
  const bad = built.stats.filter((one) => one.hasErrors());
  const good = built.stats.filter((one) => !one.hasErrors());
  for (const one of bad) console.error(one.toString({ preset: "errors-only", colors: true }));
  if (bad.length > 0) console.error(`Not built: ${namesOf(bad)}. The previous build stays in use.`);
  if (good.length === 0) return;
  const ms = Math.max(...good.map(({ startTime, endTime }) => endTime - startTime));
  console.log(`Built ${namesOf(good)} in ${(ms / 1000).toFixed(1)} s.`);
  if (good.some(({ compilation }) => compilation.name === "server")) await serve();
  // Open pages poll this file (src/browser-workbook/reload-when-built.ts).
  mkdirSync(join(root, out, "app"), { recursive: true });
  writeFileSync(join(root, out, "app", "built.txt"), built.hash);
}

function namesOf(builds) {
  return builds.map(({ compilation }) => compilation.name).join(", ");
}

/** Kills the previous server, which has no unsaved state, and starts the new one. */
async function serve() {
  if (server?.exitCode === null && server.kill("SIGKILL")) await once(server, "exit");
  const parameters = [join(root, out, "server.js"), ...process.argv.slice(2), "--fault-switches"];
  server = spawn(process.execPath, parameters, { stdio: "inherit" });
}
