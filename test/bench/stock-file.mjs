/** `node test/bench/stock-file.mjs` (a minute): the embedded service over a stock file; writes stock-file-results.md. */
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileBench } from "./compile.mjs";
import { medianOf } from "./measuring.mjs";

const aim = 0.5;
const child = fork(join(compileBench(), "test/bench/stock-file.js"), {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const rates = await new Promise((resolve, reject) => {
  child.once("message", resolve);
  child.once("exit", (code) => reject(new Error(`The measurement ended with ${code}.`)));
});
const rows = Object.entries(rates).map(([way, each]) => [way, medianOf(each)]);
const alone = rows.find(([way]) => way === "SQLite alone")[1];
const ratio = rows.find(([way]) => way === "stock file")[1] / alone;
const text = [
  "# The embedded service over a stock file",
  "",
  `Calls a second of 100 items, answered whole, medians of turns in one process. Node ${process.versions.node}, ${cpus().length} processors.`,
  "SQLite alone looks up the same 100 records, one prepared statement each, and answers nobody.",
  "",
  "| over                                  | calls a second | x SQLite alone |",
  "| ------------------------------------- | -------------: | -------------: |",
  ...rows.map(
    ([way, rate]) =>
      `| ${way.padEnd(37)} | ${String(Math.round(rate)).padStart(14)} | ${(rate / alone).toFixed(2).padStart(14)} |`,
  ),
  "",
  `Aim: the stock file at ${aim} x SQLite alone. ${ratio >= aim ? "Kept." : "Missed."}`,
  "",
].join("\n");
process.stdout.write(text);
writeFileSync(fileURLToPath(new URL("stock-file-results.md", import.meta.url)), text);
process.exitCode = ratio >= aim ? 0 : 1;
