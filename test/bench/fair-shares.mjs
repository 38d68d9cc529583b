/**
 * Who gets how much of a spent quota (`node test/bench/fair-shares.mjs`, four minutes): the built server, a service, and
 * five people's pages, each in a process of its own, on real time. Beside three sheets that never end and one person with
 * a cell now and then, one page takes what it can get. All habits are measured at once, each before a server of its own.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "../../src/start/prepare.mjs";
import { compileBench } from "./compile.mjs";
import { startEnd, startServer } from "./relay-time.mjs";

const callsPerMinute = 120;
/** The quota is unspent in the first minute: it is left out. */
const [warmMs, measuredMs] = [62_000, 120_000];
const habits = {
  sheet: "opens a sheet as the others do",
  greedy: "has 20 calls at once",
  ignores: "has 20 calls at once and ignores the times it is told",
  edits: "has 20 calls at once and marks all as edits",
};

/** By habit: calls of the page that has it, of the three beside it, and the longest waits of the quiet one. */
export async function measureFairShares() {
  build({ only: "server" });
  const page = join(compileBench(), "test/bench/fair-page.js");
  const measured = Object.keys(habits).map(async (habit) => [habit, await measure(page, habit)]);
  return Object.fromEntries(await Promise.all(measured));
}

async function measure(page, habit) {
  const folder = mkdtempSync(join(tmpdir(), "inv-fair-"));
  const children = [];
  try {
    const service = await startEnd(children, "service");
    const base = `${await startServer(children, folder, service, { callsPerMinute })}/relay/bench`;
    const pages = [habit, "sheet", "sheet", "sheet", "quiet"].map((kind) => fork(page, [kind, base]));
    children.push(...pages);
    await sleep(warmMs);
    const fromMs = Date.now();
    await sleep(measuredMs);
    const [taker, ...others] = await Promise.all(pages.map(stopped));
    const quiet = others.pop();
    const callsOf = ({ answeredAtMs }) =>
      answeredAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + measuredMs).length;
    return { taker: callsOf(taker), others: others.map(callsOf), quietMs: quiet.cellsMs };
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true });
  }
}

function stopped(page) {
  return new Promise((resolve) => {
    page.once("message", resolve);
    page.send("stop");
  });
}

/** The page's section about it. */
export function fairSharesSection(shares) {
  const rows = Object.entries(shares).map(([habit, { taker, others, quietMs }]) => {
    const all = [taker, ...others];
    const share = all.reduce((sum, each) => sum + each, 0) / all.length;
    const least = `${Math.round((100 * Math.min(...others)) / share)} %`;
    const waits = `${quietMs.length}, ${(Math.max(...quietMs) / 1_000).toFixed(1)} s`;
    return `| ${[habits[habit], taker, others.join(", "), share.toFixed(1), least, waits].join(" | ")} |`;
  });
  return `## Shares of a spent quota

${callsPerMinute} calls a minute, five people with pages of their own in processes of their own, two minutes of real time after the
first: three sheets that never end, one person who asks for a cell every twelve seconds, and one who does this:

| beside them somebody who | gets calls | the three get | equal share | least of the three | cells of the one, longest wait |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(fairSharesSection(await measureFairShares()));
}
