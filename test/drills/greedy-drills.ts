/**
 * Three honest pages beside a greedy colleague, for three minutes from the moment in which all open their workbooks, at
 * one server and at two with Redis. Each kind of greed has a company of its own, and so a quota of its own.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "undici";
import { type Greed, greeds, openGreedyPage, openHonestPage, type PagesBed } from "../helpers/greedy-pages";
import type { Bed, Drill } from "./bed";
import { environmentId } from "./cluster";

const minutes = 3;

export const greedyDrills: readonly Drill[] = [
  [60, 1],
  [600, 1],
  [60, 2],
  [600, 2],
].map(([limit = 0, servers = 0]) => ({
  name: `greedy-${limit}-${servers}`,
  title: `honest pages beside a greedy one, a quota of ${limit}, ${servers === 1 ? "one server" : "two servers and Redis"}`,
  options: { limit, servers, redis: servers === 1 ? null : {}, isStubQuick: true },
  load: null,
  run: (bed) => judge(bed, limit),
}));

/** What docs/claims.md promises, of what a page gets alone. */
function leastOf(limit: number): number {
  return limit < 600 ? 0.75 : 0.85;
}

async function judge(bed: Bed, limit: number): Promise<void> {
  if (bed.cluster.redis !== null) await bed.cluster.opened();
  const kinds: readonly (Greed | null)[] = [null, ...greeds];
  const values = await Promise.all(kinds.map((greed) => valuesBeside(bed, limit, greed)));
  const alone = Math.min(...(values[0] ?? []));
  kinds.forEach((greed, index) => {
    const least = Math.min(...(values[index] ?? []));
    bed.fact(
      `beside ${greed ?? "nobody"}: ${(values[index] ?? []).join(", ")} values, ${percent(least / alone)}`,
    );
    bed.check(
      least >= leastOf(limit) * alone,
      `a page got only ${percent(least / alone)} beside ${greed ?? "nobody"}`,
    );
  });
}

const percent = (part: number) => `${Math.round(part * 100)} %`;

async function valuesBeside(
  { cluster }: Bed,
  limit: number,
  greed: Greed | null,
): Promise<readonly number[]> {
  const origins = cluster.servers.map(({ origin }) => origin);
  let turn = 0;
  const bed: PagesBed = {
    clock: { setTimeout },
    account: {
      id: `company-${greeds.indexOf(greed ?? "no token") + (greed === null ? 100 : 0)}`,
      secret: "drill",
    },
    base: `http://any.example/relay/${environmentId}`,
    async transport(request) {
      const { pathname } = new URL(request.url);
      const origin = origins[(turn += 1) % origins.length] ?? "";
      const answer = await fetch(origin + pathname, {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      }).catch(() => null);
      // The servers stop while greedy pages still ask.
      if (answer === null) return new Response("{}", { status: 502 });
      return new Response(await answer.text(), {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
      });
    },
  };
  const pages = [1, 2, 3].map((number) => openHonestPage(bed, { number, pauseMs: 300_000 / limit }));
  const greedy = greed === null ? null : openGreedyPage(bed, greed);
  await sleep(minutes * 60_000);
  const values = pages.map((page) => page.values);
  for (const page of [...pages, greedy]) page?.stop();
  return values;
}
