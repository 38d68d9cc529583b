/**
 * `npm start`, `npm run service` and `npm run service:import`: installs what is missing, builds what has
 * changed, and runs a program in this process. The program is the server, with `--service` only the embedded
 * service, or with `--import` the import.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, checkNode, install, root } from "./prepare.mjs";

const programs = { "--service": "service.js", "--import": "import.js" };
const program = programs[process.argv[2]];
if (program) process.argv.splice(2, 1);
else process.argv.push("--fault-switches");

checkNode();
install();
build(program ? { only: "server" } : {});
await import(pathToFileURL(join(root, "dist", program ?? "server.js")).href);
