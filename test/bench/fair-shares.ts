/**
 * Who gets how much of a spent quota (four minutes): the built server, a service, and five people's pages, each in a
 * process of its own, on real time. Beside three sheets that never end and one person with a cell now and then, one page takes
 * what it can get. All habits are measured at once, each before a server of its own.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "../drills/cluster";
import type { FairPage } from "./fair-page";
import { table } from "./figures";

const limit = 120;
/** The quota is unspent in the first minute: it is left out. */
const [warmMs, measuredMs] = [62_000, 120_000];
const habits: readonly (readonly [string, string])[] = [
  ["sheet", "opens a sheet as the others do"],
  ["greedy", "has 20 calls at once"],
  ["ignores", "has 20 calls at once and ignores the times it is told"],
  ["edits", "has 20 calls at once and marks all as edits"],
];

export async function measureFairShares() {
  const head = [
    ...["beside them somebody who", "gets calls", "the three get", "equal share", "least of the three"],
    "cells of the one, longest wait",
  ];
  const rows = await Promise.all(habits.map(async ([habit, words]) => [words, ...(await measure(habit))]));
  const text = `## Shares of a spent quota

${limit} calls a minute, five people with pages of their own in processes of their own, two minutes of real time after the
first: three sheets that never end, one person who asks for a cell every twelve seconds, and one who does this:

${table(head, rows)}
`;
  return { text, isHonoured: true };
}

/** What the page that has the habit got, the three beside it, and how long the quiet one waited. */
async function measure(habit: string): Promise<string[]> {
  const cluster = await startCluster({ limit, servers: 1, redis: null, isStubQuick: true });
  try {
    const { origin } = cluster.servers[0]!;
    const pages = [habit, "sheet", "sheet", "sheet", "quiet"].map((kind, place) =>
      fork(join(__dirname, "fair-page.js"), [kind, origin, String(limit), String(place)]),
    );
    await sleep(warmMs);
    const fromMs = Date.now();
    await sleep(measuredMs);
    const ended = await Promise.all(pages.map(stopped));
    const calls = ended
      .slice(0, -1)
      .map(
        ({ answeredAtMs }) =>
          answeredAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + measuredMs).length,
      );
    const [own, ...others] = calls;
    const share = calls.reduce((sum, each) => sum + each, 0) / calls.length;
    const least = `${Math.round((100 * Math.min(...others)) / share)} %`;
    const waits = ended.at(-1)?.cellsMs ?? [];
    const longest = `${waits.length}, ${(Math.max(...waits) / 1_000).toFixed(1)} s`;
    return [String(own), others.join(", "), share.toFixed(1), least, longest];
  } finally {
    await cluster.close();
  }
}

async function stopped(page: ChildProcess): Promise<FairPage> {
  page.send("stop");
  const [told] = (await once(page, "message")) as [FairPage];
  return told;
}
