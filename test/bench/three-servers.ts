/**
 * What a team costs its servers and their Redis (twenty minutes): the pages of 40 and of 400 people over real HTTP, each
 * call to the next built server. First everybody opens one template; the servers together must make no more requests
 * than one person needs. Then everybody has a sheet of their own, which uses up the quota all the time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster, type Cluster } from "../drills/cluster";
import { busiestMinute } from "../drills/bed";
import type { Load, PagesReport } from "../drills/pages";
import { lookAtRedis, type RedisWork } from "../drills/redis-look";
import { table } from "./figures";

const limit = 600;
interface Team {
  readonly people: number;
  readonly servers: number;
  readonly load: Load;
}

const teams: readonly Team[] = [
  { people: 40, servers: 3, load: { stores: 200 } },
  { people: 400, servers: 3, load: { stores: 20 } },
  { people: 400, servers: 1, load: { stores: 20 } },
  { people: 40, servers: 3, load: "sheets" },
  { people: 400, servers: 3, load: "sheets" },
  { people: 400, servers: 1, load: "sheets" },
];
/** The first minute of sheets uses a quota that nobody has used yet. */
const [sheetsFromMs, sheetsUntilMs] = [75_000, 195_000];

export async function measureThreeServers() {
  const costs: string[][] = [];
  const waits: string[][] = [];
  let contents: readonly string[] = [];
  for (const team of teams) {
    const measured = await measureTeam(team);
    costs.push([nameOf(team), ...measured.costs]);
    waits.push([nameOf(team), ...measured.waits]);
    if (team.people === 400 && team.servers === 3 && team.load === "sheets") ({ contents } = measured);
    process.stderr.write(`${JSON.stringify([nameOf(team), measured])}\n`);
  }
  const costHead = [
    "team",
    "answers to pages",
    "requests to the service",
    "scripts of an answer",
    "bytes to Redis",
    "from Redis",
    "Redis's processor",
    "a server's processor",
    "server's memory",
  ];
  const waitHead = ["team", "cells", "busiest 60 s", "mean wait", "slowest", "a second"];
  const text = `## Three servers that are one

Pages of 40 and 400 people over real HTTP, each call to the next of the servers, which share a Redis, and a quota of ${limit}
requests a minute. A template has 25 items at each store, and all people open it within 10 s; requests that one person
needs: one for each store. Sheets have 150 cells, each a request of its own, and every tenth person asks one cell every 12 s.
Sheets are measured for ${(sheetsUntilMs - sheetsFromMs) / 1_000} s after the first minute. Bytes and processor time are for each answer to a page.

${table(costHead, costs)}

Waits are of a person's whole template, or of single cells beside sheets.

${table(waitHead, waits)}

400 people with sheets leave this in Redis:

${contents.map((line) => `- ${line}`).join("\n")}
`;
  return { text, isHonoured: true };
}

function nameOf({ people, servers, load }: Team): string {
  const work = load === "sheets" ? "a sheet each" : `a template of ${load.stores} stores`;
  return `${people} people, ${servers === 1 ? "1 server" : `${servers} servers`}, ${work}`;
}

async function measureTeam({ people, servers, load }: Team) {
  const cluster = await startCluster({ limit, servers, people, redis: {}, isStubQuick: true });
  try {
    const url = cluster.redis?.url ?? "";
    await cluster.opened();
    let before = await lookAt(cluster, null);
    const pages = await cluster.openPages(load, null);
    if (load === "sheets") {
      await sleep(sheetsFromMs);
      before = await lookAt(cluster, await pages.report());
      await sleep(sheetsUntilMs - sheetsFromMs);
    } else {
      while ((await pages.report()).seconds.length < people) await sleep(500);
    }
    const after = await lookAt(cluster, await pages.report());
    const { contents } = await lookAtRedis(url);
    const answers = after.answers - before.answers;
    const each = (value: (look: Look) => number) => (value(after) - value(before)) / answers;
    const ofRedis = (name: keyof RedisWork) => each(({ work }) => work[name]);
    const waitsMs = load === "sheets" ? after.singlesMs.slice(before.singlesMs.length) : after.templatesMs;
    const arrived = after.arrivedAtMs.slice(before.arrivedAtMs.length);
    return {
      costs: [
        String(answers),
        String(arrived.length),
        ofRedis("scripts").toFixed(2),
        ofRedis("readBytes").toFixed(0),
        ofRedis("writtenBytes").toFixed(0),
        `${ofRedis("processorMs").toFixed(2)} ms`,
        `${each(({ serverMs }) => serverMs).toFixed(2)} ms`,
        `${(after.serverBytes / 1e6).toFixed(0)} MB`,
      ],
      waits: [
        [`${after.right} right`, ...after.others].join(", "),
        String(busiestMinute(arrived)),
        `${(waitsMs.reduce((sum, ms) => sum + ms, 0) / waitsMs.length / 1_000).toFixed(1)} s`,
        `${(Math.max(...waitsMs) / 1_000).toFixed(1)} s`,
        (answers / ((after.atMs - before.atMs) / 1_000)).toFixed(0),
      ],
      contents,
    };
  } finally {
    await cluster.close();
  }
}

type Look = Awaited<ReturnType<typeof lookAt>>;

async function lookAt(cluster: Cluster, report: PagesReport | null) {
  const { arrivedAtMs } = await cluster.stub();
  const { work } = await lookAtRedis(cluster.redis?.url ?? "");
  const metrics = await Promise.all(cluster.servers.map((server) => server.metrics()));
  const figuresOf = (name: string) =>
    metrics.map((text) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]));
  const sum = (figures: readonly number[]) => figures.reduce((all, figure) => all + figure, 0);
  return {
    atMs: performance.now(),
    arrivedAtMs,
    work,
    serverMs: sum(figuresOf("process_cpu_seconds_total")) * 1_000,
    serverBytes: Math.max(...figuresOf("process_resident_memory_bytes")),
    answers: sum(Object.values(report?.statuses ?? {})),
    right: report?.right ?? 0,
    /** Wrong cells, and those without a current value, by their reason's code. */
    others: Object.entries({ ...report?.ended, ...(report?.wrong && { wrong: report.wrong }) }).map(
      ([reason, count]) => `${count} ${reason.split(":")[0] ?? ""}`,
    ),
    singlesMs: report?.singlesMs ?? [],
    templatesMs: (report?.seconds ?? []).map((seconds) => seconds * 1_000),
  };
}
