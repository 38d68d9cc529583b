/**
 * `npm run excel`: runs the add-in in real Excel on Windows and macOS. It uses HTTPS with Microsoft's
 * development certificates, and office-addin-debugging for sideloading. open-excel.mjs defines the order of
 * the steps, and this file implements each step.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { get } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { buildForExcel, checkNode, install, root } from "./prepare.mjs";
import { openExcel } from "./open-excel.mjs";
import { sideload } from "./sideload.mjs";

const port = "3000";
/** Separate from the build of `npm start`, because its pane also offers to check this Excel. */
const out = join(".cache", "excel");
const certificateFolder = join(homedir(), ".office-addin-dev-certs");

process.exitCode = await openExcel({
  platform: process.platform,
  prepare() {
    checkNode();
    install();
    buildForExcel(out);
  },
  certificates,
  serve,
  isServing,
  pause: (ms) => setTimeout(ms),
  sideload,
  stopped: new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve());
  }),
  say: (line) => console.log(line),
});

/** Creates certificates and asks the system to trust them, unless valid ones exist. */
async function certificates() {
  const { default: devCerts } = await import("office-addin-dev-certs");
  await devCerts.ensureCertificatesAreInstalled();
  return { cert: join(certificateFolder, "localhost.crt"), key: join(certificateFolder, "localhost.key") };
}

function serve({ cert, key }) {
  const config = join(root, out, "inv.json");
  writeFileSync(config, JSON.stringify({ tls: { cert, key } }));
  const env = { ...process.env, PORT: port };
  const parameters = [join(root, out, "server.js"), "--config", config];
  const server = spawn(process.execPath, parameters, { env, stdio: "inherit" });
  return {
    ended: new Promise((resolve) => server.once("exit", () => resolve())),
    stop: () => void server.kill(),
  };
}

function isServing() {
  return new Promise((resolve) => {
    // The request only finds out whether the server answers. Excel itself checks the certificate.
    const options = { rejectUnauthorized: false, timeout: 2000 };
    const request = get(`https://localhost:${port}/taskpane.html`, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}
