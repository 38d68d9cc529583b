/**
 * Fair shares for a company whose people use several servers, in virtual minutes over a real Redis whose time is the
 * virtual one. A person gets at least half of a fair share, wherever the others are.
 */
import type { Redis } from "../../../src/server/redis/redis";
import { createSharedWindow } from "../../../src/server/shared-quota/in-redis/shared-window";
import { type CompanyQuota, createCompanyQuota } from "../../../src/server/shared-quota/quota";
import { createPage, minuteMs, type PagePlan, sharesBeside } from "../../helpers/company-pages";
import { movedRedis } from "../../helpers/moved-redis";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { describeInRedis, type RedisPlace } from "../stores";

const limit = 120;
const latencyMs = 800;
const minutes = 3;
/** A new Redis is shut for the longest call plus a minute. */
const shutMs = 120_050;

type Habit = Omit<PagePlan, "person">;
const honest: Habit = { connections: 6, obeys: "each" };
const hasManyCalls: Habit = { connections: 20, obeys: "each" };
const isRuthless: Habit = { connections: 20, obeys: "none", isEdit: true };

interface Company {
  readonly clock: VirtualClock;
  readonly quotas: readonly CompanyQuota[];
}

async function openCompany(place: RedisPlace, servers: number): Promise<Company> {
  const working = new Set<Promise<unknown>>();
  const clock = createVirtualClock({ realWork: working });
  // Redis gets the scripts of all connections in the order in which the servers ask, so every run has the same shares.
  let previous: Promise<unknown> = Promise.resolve();
  const quotas = Array.from({ length: servers }, async () => {
    const redis = movedRedis(await place.connect(), () => Math.round(clock.now()));
    const run: Redis["run"] = (...given) => {
      const work = previous.then(() => redis.run(...given));
      previous = work.catch(() => undefined);
      working.add(work);
      return work.finally(() => working.delete(work));
    };
    const store = createSharedWindow({
      redis: { run },
      clock,
      limitOf: () => limit,
      onShut: () => undefined,
    });
    return createCompanyQuota({ clock, onWait: () => () => undefined, store });
  });
  const company = { clock, quotas: await Promise.all(quotas) };
  // The first call of all opens the window.
  const opener = pageAt(company, 0, { connections: 1, obeys: "none", person: "opener", calls: 1 });
  await clock.advance(shutMs + minuteMs);
  opener.stop();
  return company;
}

/** `at`: the page's server, or null for a page whose calls go to all servers in turn. */
function pageAt({ clock, quotas }: Company, at: number | null, plan: PagePlan) {
  let calls = 0;
  const quota: CompanyQuota = {
    wait: (waiting) => quotas[at ?? (calls += 1) % quotas.length]!.wait(waiting),
    usage: (account) => quotas[0]!.usage(account),
  };
  return createPage({ clock, quota, latencyMs: () => latencyMs }, plan);
}

/** Each page's server, or null for all in turn. */
type Team = readonly (readonly [at: number | null, habit: Habit])[];

describeInRedis("people of several servers", (place) => {
  it.each<[string, number, Team, number]>([
    [
      "of two servers, one of which also has a page with 20 calls at once",
      2,
      [
        [0, hasManyCalls],
        [0, honest],
        [1, honest],
        [1, honest],
      ],
      0.75,
    ],
    [
      "of two servers, one of which also has a page that ignores retry times and marks all as edits",
      2,
      [
        [0, isRuthless],
        [0, honest],
        [1, honest],
        [1, honest],
      ],
      0.75,
    ],
    [
      "at a server of their own beside two with a single greedy page each",
      3,
      [
        [0, hasManyCalls],
        [1, isRuthless],
        [2, honest],
        [2, honest],
        [2, honest],
      ],
      0.75,
    ],
    [
      "whose calls go to three servers in turn, as behind a load balancer",
      3,
      [
        [null, hasManyCalls],
        [null, isRuthless],
        [null, honest],
        [null, honest],
        [null, honest],
      ],
      0.5,
    ],
  ])(
    "%s: honest pages get their share, at least half of a fair one, and the quota is used and never exceeded",
    async (_, servers, team, least) => {
      const company = await openCompany(place, servers);
      const { clock } = company;
      const pages = team.map(([at, habit], index) =>
        pageAt(company, at, { ...habit, person: `person-${index}` }),
      );
      const openQuiet = () => pageAt(company, null, { ...honest, person: "quiet", calls: 0 });
      const { calls, waitsMs, quiet } = await sharesBeside(clock, pages, { openQuiet, minutes });
      const all = calls.reduce((sum, each) => sum + each, 0);
      const fair = all / calls.length;
      const shares = team.flatMap(([, habit], index) => (habit === honest ? [calls[index]! / fair] : []));
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(least);
      expect(all / ((limit * 0.9 * minutes * minuteMs) / (minuteMs + latencyMs))).toBeGreaterThanOrEqual(
        0.85,
      );
      const left = [...pages, quiet].flatMap(({ leftAtMs }) => leftAtMs).sort((a, b) => a - b);
      left.forEach((atMs, index) =>
        expect(atMs - (left[index - limit] ?? -Infinity)).toBeGreaterThan(minuteMs),
      );
      expect(waitsMs).toHaveLength(2 * minutes);
      expect(Math.max(...waitsMs)).toBeLessThanOrEqual(minuteMs + 50 + latencyMs + 2_000);
    },
    300_000,
  );
});
