/**
 * Fair shares beside greedy pages. Pages that ask as INV's pages do get an equal share. A page that asks for less than
 * a share gets it when the window opens. Both are true for any people, any number of them and any latency of the service.
 */
import { fc, slowRuns } from "../../helpers/properties";
import { createTokenBed } from "../../helpers/token-bed";
import { createPage, minuteMs, openQuota, type PagePlan, sharesBeside } from "../../helpers/company-pages";
import { createRandom, createVirtualClock } from "../../helpers/virtual-clock";

type Habit = Omit<PagePlan, "person">;
const honest: Habit = { connections: 6, obeys: "each" };
/** Many calls at once, ignored retry times, calls falsely marked as edits, and all of these together. */
const greedy: readonly Habit[] = [
  { connections: 20, obeys: "each" },
  { connections: 20, obeys: "none" },
  { connections: 6, obeys: "each", isEdit: true },
  { connections: 20, obeys: "none", isEdit: true },
];

interface Team {
  readonly limit: number;
  readonly latencyMs: number;
  readonly habits: readonly Habit[];
}

const minutes = 3;

async function run({ limit, latencyMs, habits }: Team) {
  const clock = createVirtualClock();
  const options = { clock, quota: openQuota(clock, limit), latencyMs: () => latencyMs };
  const pages = habits.map((habit, index) => createPage(options, { ...habit, person: `person-${index}` }));
  const openQuiet = () => createPage(options, { ...honest, person: "quiet", calls: 0 });
  return sharesBeside(clock, pages, { openQuiet, minutes });
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const windowOpensMs = minuteMs + 50;

/** With a small quota, calls beyond the shares leave seconds apart, so a single lost turn changes the result. */
const leastShareOf = (limit: number) => (limit < 300 ? 0.75 : 0.9);

it("each page gets nine tenths of an equal share beside any others, and the quota is used", async () => {
  const team = fc.record({
    limit: fc.constantFrom(100, 300, 600),
    latencyMs: fc.constantFrom(80, 400, 1_000, 3_000),
    habits: fc
      .tuple(
        fc.array(fc.constantFrom(...greedy), { minLength: 1, maxLength: 2 }),
        fc.array(fc.constant(honest), { minLength: 1, maxLength: 3 }),
      )
      .map((both) => both.flat()),
  });
  await fc.assert(
    fc.asyncProperty(team, async ({ limit, latencyMs, habits }) => {
      const { calls, waitsMs, quiet } = await run({ limit, latencyMs, habits });
      // A page with six connections can't make more calls than this.
      const mostAPage = (6 * minutes * minuteMs) / (latencyMs + 50);
      const share = Math.min(mean(calls), mostAPage);
      const honestCalls = calls.filter((_, index) => habits[index] === honest);
      expect(Math.min(...honestCalls) / share).toBeGreaterThanOrEqual(leastShareOf(limit));
      expect(quiet.leftAtMs).toHaveLength(2 * minutes);
      expect(Math.max(...waitsMs)).toBeLessThanOrEqual(windowOpensMs + latencyMs + 1_000);
      const all = calls.reduce((sum, each) => sum + each, 0) + 2 * minutes;
      const possible = Math.min(
        (limit * 0.9 * minutes * minuteMs) / (windowOpensMs + latencyMs),
        mostAPage * calls.length,
      );
      expect(all / possible).toBeGreaterThanOrEqual(0.85);
    }),
    // Each run takes seconds.
    { numRuns: slowRuns({ inTests: 3, inDrill: 40 }) },
  );
});

/** A page that asks for one value at a time, with pauses of at most `longestPauseMs`. */
interface Single {
  readonly longestPauseMs: number;
  readonly startMs: number;
}

const single = fc.record({
  longestPauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
  startMs: fc.integer({ min: 0, max: 60_000 }),
});
interface Greed extends Habit {
  /** Requests a new token for each call. Other pages keep theirs. */
  readonly takesNewTokens?: boolean;
}

/** Every kind of greed, including sheets that are opened repeatedly and a new token for every call. */
const anyGreed: readonly Greed[] = [
  ...greedy,
  { connections: 50, obeys: "none", calls: 600 },
  { connections: 6, obeys: "each", takesNewTokens: true },
  { connections: 20, obeys: "each", isEdit: true, takesNewTokens: true },
];

it("a page that asks for one value at a time gets most of what it gets alone, or of a share, from its second minute on", async () => {
  const team = fc.record({
    limit: fc.constantFrom(100, 300, 600),
    latencyMs: fc.constantFrom(80, 400, 1_000, 3_000),
    greed: fc.array(fc.constantFrom(...anyGreed), { minLength: 1, maxLength: 2 }),
    singles: fc.array(single, { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(team, async ({ limit, latencyMs, greed, singles }) => {
      const share =
        (limit * 0.9 * minutes * minuteMs) / ((windowOpensMs + latencyMs) * (greed.length + singles.length));
      for (const { calls, waitedMs } of await askSingly(limit, latencyMs, { greed, singles })) {
        // Without competitors the page would use the time it waited. It may wait longer only for calls beyond its share.
        // Over 75 teams, 153 of 154 pages got nine tenths, and one got 86 %.
        const least = limit < 600 ? 0.75 : 0.85;
        if (calls < least * share) expect(waitedMs).toBeLessThanOrEqual((1 - least) * minutes * minuteMs);
      }
    }),
    { numRuns: slowRuns({ inTests: 2, inDrill: 75 }) },
  );
});

/** Results of each page that asks singly, from its own second minute on. */
async function askSingly(
  limit: number,
  latencyMs: number,
  { greed, singles }: { readonly greed: readonly Greed[]; readonly singles: readonly Single[] },
): Promise<readonly { readonly calls: number; readonly waitedMs: number }[]> {
  const clock = createVirtualClock();
  const options = { clock, quota: openQuota(clock, limit), latencyMs: () => latencyMs };
  const { requestToken, askerOf } = createTokenBed(clock);
  /** All pages share one address. */
  const personWith = (token: Promise<string>) => async () =>
    (await askerOf(await token)) ?? { person: "", crowd: null };
  const greedyPages = greed.map(({ takesNewTokens, ...habit }) => {
    const person = takesNewTokens === true ? () => personWith(requestToken())() : personWith(requestToken());
    return createPage(options, { ...habit, person });
  });
  const pages = singles.map(({ longestPauseMs, startMs }, index) => {
    let token: Promise<string> | null = null;
    const person = () => personWith((token ??= requestToken()))();
    const page = createPage(options, { ...honest, connections: 1, person, calls: 0 });
    const random = createRandom(startMs + index);
    const fromMs = clock.now() + minuteMs + startMs;
    const untilMs = fromMs + minutes * minuteMs;
    const got = { calls: 0, waitedMs: 0 };
    const ask = (): void => {
      const [askedAtMs, calls] = [clock.now(), page.leftAtMs.length];
      page.wants(1);
      const watch = (): void => {
        const leftAtMs = page.leftAtMs[calls] ?? clock.now();
        if (page.leftAtMs.length > calls || leftAtMs > untilMs) {
          got.waitedMs += Math.max(0, Math.min(leftAtMs, untilMs) - Math.max(askedAtMs, fromMs));
          if (leftAtMs >= fromMs && leftAtMs < untilMs) got.calls += 1;
        }
        if (leftAtMs > untilMs) page.stop();
        else if (page.leftAtMs.length > calls) clock.setTimeout(ask, latencyMs + random() * longestPauseMs);
        else clock.setTimeout(watch, 100);
      };
      watch();
    };
    clock.setTimeout(ask, startMs);
    return got;
  });
  for (let minute = 0; minute < minutes + 2; minute += 1) {
    await clock.advance(minuteMs);
    greed.forEach(({ calls }, index) => greedyPages[index]?.wants(calls ?? 0));
  }
  for (const page of greedyPages) page.stop();
  return pages;
}

it("a single refresh uses most of the quota although twenty people typed a cell each", async () => {
  const clock = createVirtualClock();
  const options = { clock, quota: openQuota(clock, 600), latencyMs: () => 400 };
  for (let person = 0; person < 20; person += 1) {
    createPage(options, { ...honest, person: `typist-${person}`, isEdit: true, calls: 1 });
    await clock.advance(2_000);
  }
  const refresh = createPage(options, { ...honest, person: "refresh", calls: 2_000 });
  await clock.advance(minuteMs);
  expect(refresh.leftAtMs.length).toBeGreaterThanOrEqual(0.85 * 600);
  refresh.stop();
});
