/**
 * `npm start` and `npm run service`: installs what is missing, builds what has changed, and starts the
 * server (or, with --service, the embedded service alone) in this process.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, checkNode, install, root } from "./prepare.mjs";

const serviceAlone = process.argv[2] === "--service";
if (serviceAlone) process.argv.splice(2, 1);
else process.argv.push("--fault-switches");

checkNode();
install();
build(serviceAlone ? { only: "server" } : {});
await import(pathToFileURL(join(root, "dist", serviceAlone ? "service.js" : "server.js")).href);
