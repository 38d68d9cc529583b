/**
 * `npm run excel`: the add-in in real Excel on Windows and macOS, over HTTPS with Microsoft's development
 * certificates, sideloaded by office-addin-debugging. The order of the steps is in open-excel.mjs; here
 * is what each of them does.
 */
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { deleteMark, isServing, markDeleted, markRunning, port } from "./excel-running.mjs";
import { buildForExcel, checkNode, install, root } from "./prepare.mjs";
import { openExcel } from "./open-excel.mjs";
import { sideload } from "./sideload.mjs";

/** Beside what `npm start` builds: the pane also offers to check this Excel. */
const out = join(".cache", "excel");
/** Where office-addin-dev-certs keeps them. */
const certificateFolder = join(homedir(), ".office-addin-dev-certs");

process.exitCode = await openExcel({
  platform: process.platform,
  prepare() {
    checkNode();
    install();
    buildForExcel(out);
    markRunning();
  },
  certificates,
  serve,
  isServing,
  pause: (ms) => setTimeout(ms),
  sideload,
  stopped: new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve());
  }),
  markDeleted,
  say: (line) => console.log(line),
});
deleteMark();

/** Creates and trusts them unless there are valid ones. */
async function certificates() {
  const { default: devCerts } = await import("office-addin-dev-certs");
  await devCerts.ensureCertificatesAreInstalled();
  return { cert: join(certificateFolder, "localhost.crt"), key: join(certificateFolder, "localhost.key") };
}

function serve({ cert, key }) {
  const env = { ...process.env, PORT: port, HTTPS_CERT: cert, HTTPS_KEY: key };
  const server = spawn(process.execPath, [join(root, out, "server.js")], { env, stdio: "inherit" });
  return {
    ended: new Promise((resolve) => server.once("exit", () => resolve())),
    stop: () => void server.kill(),
  };
}
