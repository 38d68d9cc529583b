/**
 * Forty people behind one team's server, each with their own engine, on virtual time. For comparison, the same people
 * without the server, on the same quota.
 */
import { createEngine } from "../../src/engine/engine";
import { createCompanyRelay } from "../helpers/company-relay";
import { environmentOf } from "./contenders";
import { table } from "./figures";
import { createService } from "./service";
import { createVirtualLoop } from "./virtual-loop";

interface Person {
  readonly startsAtMs: number;
  readonly stores: readonly number[];
  readonly items: number;
}

const people = 40;
const quota = 600;
const environment = environmentOf({ baseUrl: "https://bench.example", quota });
const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
/** All open it within ten seconds. Each person's stores start `apart` stores after the previous person's. */
const templates = (apart: number) =>
  range(people).map((person): Person => ({
    startsAtMs: (person * 10_000) / people,
    stores: range(200, 1_000 + person * apart),
    items: 25,
  }));
/** One cell at this second, in a store that nobody else requests. */
const oneCell = (second: number): Person => ({
  startsAtMs: second * 1_000,
  stores: [9_000 + second],
  items: 1,
});
const loads: readonly (readonly [string, readonly Person[]])[] = [
  ["40 people open one template of 200 stores x 25 items within 10 s", templates(0)],
  ["40 people open 40 templates of 200 stores x 25 items within 10 s", templates(200)],
  [
    "one cell each of 3 people behind a colleague's 50,000",
    [{ startsAtMs: 0, stores: range(2_000, 1_000), items: 25 }, ...[15, 45, 90].map(oneCell)],
  ],
];

export async function measurePeople() {
  const rows: string[][] = [];
  let single: readonly number[] = [];
  for (const [title, who] of loads) {
    for (const way of ["server", "direct"] as const) {
      const { calls, refusals, seconds } = await run(who, way);
      const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
      const slowest = Math.max(...seconds);
      const figures = [...[calls, refusals].map(String), shown(mean), shown(slowest)];
      rows.push([title, way, ...figures, (slowest / mean).toFixed(2)]);
      if (way === "server") single = seconds.slice(1);
    }
  }
  const head = ["load", "way", "answered calls", "429s of the service", "mean", "slowest", "slowest / mean"];
  const text = `# A team behind one server

Engines of forty people on virtual time, a quota of 600 calls a minute, 80 ms a call; beside it the same people without
the server. Times are seconds until a person's last cell. Written by \`npm run bench -- team\`.

${table(head, rows)}

The single cells waited ${single.map(shown).join(", ")} s behind the server.
`;
  return { text, isHonoured: true };
}

/** Returns the answered and refused calls, and how long each person waited for their last cell. */
async function run(who: readonly Person[], way: "server" | "direct") {
  const loop = createVirtualLoop();
  const service = createService(loop.clock, { quota, refused: new Set() });
  const relayed = createCompanyRelay({ clock: loop.clock, service: service.transport, limit: quota });
  const transport = way === "server" ? relayed : service.transport;
  const seconds: number[] = [];
  let left = who.length;

  async function open(person: number, { stores, items }: Person): Promise<void> {
    const beganAtMs = loop.clock.now();
    const engine = createEngine({ clock: loop.clock, transport });
    engine.connect({
      environment: way === "server" ? { ...environment, pacedBy: "server" } : environment,
      credentials: { consumerId: "bench", clientSecret: "bench" },
    });
    const cells = range(items).flatMap((item) => {
      const value = String(10_000_000 + item * 7).padStart(14, "0");
      return stores.map((storeNumber) => engine.item({ storeNumber, itemType: "gtin", value }));
    });
    await Promise.allSettled(cells);
    seconds[person] = (loop.clock.now() - beganAtMs) / 1_000;
    left -= 1;
  }

  who.forEach((each, person) => loop.clock.setTimeout(() => void open(person, each), each.startsAtMs));
  await loop.run(() => left === 0);
  return { calls: service.calls() - service.refusals(), refusals: service.refusals(), seconds };
}

function shown(seconds: number): string {
  return seconds.toFixed(seconds < 10 ? 2 : 1);
}
