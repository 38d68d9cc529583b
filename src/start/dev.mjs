/**
 * `npm run dev`: the server and the pages, built as they are written. A change to what the server is made of starts
 * it anew, and a browser workbook that is open loads itself again whenever something was built. Builds for development
 * into .cache/dev, beside what `npm start` has built, and leaves types, lint and tests to `npm test`. Arguments are
 * the server's. A change of webpack.config.js or src/build wants the command anew.
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
compiler.watch({ aggregateTimeout: 20 }, (error, built) => void take(error, built));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server?.kill("SIGKILL");
    compiler.close(() => process.exit(0));
  });
}

/**
 * What has a mistake stays as it was built before, and holds up nothing else.
 * @param {import("webpack").MultiStats} [built] the builds that have ended now
 */
async function take(error, built) {
  if (error) return console.error(error);
  const bad = built.stats.filter((one) => one.hasErrors());
  const good = built.stats.filter((one) => !one.hasErrors());
  for (const one of bad) console.error(one.toString({ preset: "errors-only", colors: true }));
  if (bad.length > 0) console.error(`Not built: ${namesOf(bad)}. What was built before goes on.`);
  if (good.length === 0) return;
  const ms = Math.max(...good.map(({ startTime, endTime }) => endTime - startTime));
  console.log(`Built ${namesOf(good)} in ${(ms / 1000).toFixed(1)} s.`);
  if (good.some(({ compilation }) => compilation.name === "server")) await serve();
  // Open pages look at it (src/browser-workbook/reload-when-built.ts).
  mkdirSync(join(root, out, "app"), { recursive: true });
  writeFileSync(join(root, out, "app", "built.txt"), built.hash);
}

function namesOf(builds) {
  return builds.map(({ compilation }) => compilation.name).join(", ");
}

/** It keeps nothing that would be worth a gentle end. */
async function serve() {
  if (server?.exitCode === null && server.kill("SIGKILL")) await once(server, "exit");
  const parameters = [join(root, out, "server.js"), ...process.argv.slice(2), "--fault-switches"];
  server = spawn(process.execPath, parameters, { stdio: "inherit" });
}
