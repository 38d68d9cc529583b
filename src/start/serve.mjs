#!/usr/bin/env node
/**
 * `npm run serve`: starts the production server with one configuration file (see docs/install.md). In a clone,
 * it first installs and builds what is missing. The release's archive already contains the build. The arguments go to the server. `--example` only prints a
 * configuration, before anything is built, so that the output contains nothing but JSON.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, checkNode, install, root } from "./prepare.mjs";

if (process.argv.includes("--example")) {
  process.stdout.write(readFileSync(join(root, "docs", "inv.example.json")));
} else {
  checkNode();
  if (existsSync(join(root, "webpack.config.js"))) {
    install();
    build();
  }
  process.argv.push("--unattended");
  await import(pathToFileURL(join(root, "dist", "server.js")).href);
}
