/**
 * `npm start` and `npm run service`: installs what is missing, builds what has changed, and runs a program in
 * this process. The program is the server, or with `--service` only the embedded service.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, checkNode, install, root } from "./prepare.mjs";

const isService = process.argv[2] === "--service";
if (isService) process.argv.splice(2, 1);
else process.argv.push("--fault-switches");

checkNode();
install();
build(isService ? { only: "server" } : {});
await import(pathToFileURL(join(root, "dist", isService ? "service.js" : "server.js")).href);
