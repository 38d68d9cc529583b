/**
 * `npm start`: installs what is missing, builds what has changed, and runs the server in this process.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, checkNode, install, root } from "./prepare.mjs";

checkNode();
install();
build();
process.argv.push("--fault-switches");
await import(pathToFileURL(join(root, "dist", "server.js")).href);
