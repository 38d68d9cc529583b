/**
 * The price against what a recording service counts: over random workbooks with histories, when a minute passes while somebody looks, at midnight, and of
 * values that are older than the freshness time.
 */
import { createObservable } from "../../../src/domain/notices";
import { withHost } from "../../functions/fakes";
import { problem } from "../../helpers/scripted-service";
import { createRandom } from "../../helpers/virtual-clock";
import { at, counting, gtin, minuteMs, openPlan } from "./plan-bed";
import { openRandom, type RandomWorkbook, type Scenario, scenarioOf } from "./random-workbook";
import { createRefreshBed } from "./refresh-bed";

withHost();

const workbooks = process.env.INV_RUNS === undefined ? 100 : 500;
const untroubled = { host: "plain", failing: [], outageFrom: null, cancelAfterMs: null, edits: [] } as const;

const sums = [
  (row: number) => `=INV.EVENTQTY(A${row},B${row},"SALES")`,
  (row: number) => `=INV.EVENTQTY(A${row},B${row},"LR")`,
  (row: number) => `=INV.EVENTQTY(A${row},B${row},"SALES",TODAY()-3)`,
  (row: number) => `=INV.EVENTQTY(A${row},B${row},"RETURNS","2026-11-18","2026-11-19")`,
  (row: number) => `=INV.LASTEVENT(A${row},B${row},"SALES")`,
  (row: number) => `=INV.EVENTS(A${row},B${row})`,
];

/** Adds items with formulas of their events. Every other item has no events on certain days. */
function addHistories(book: RandomWorkbook, seed: number): void {
  const random = createRandom(seed);
  const first = 300;
  for (let row = first; row < first + Math.floor(random() * 12); row += 1) {
    book.put(at(row, 0), 100);
    book.put(at(row, 1), gtin(row));
    for (const col of [2, 3, 4].slice(Math.floor(random() * 3))) {
      book.put(at(row, col), sums[Math.floor(random() * sums.length)]!(row + 1));
      // Others are of the file, or new.
      if (random() < 0.5) book.calculate([at(row, col)]);
    }
  }
  book.service.script(({ operation, url }) =>
    operation === "events" &&
    url.searchParams.has("start_date") &&
    /[02468]$/.test(url.searchParams.get("gtin") ?? "")
      ? problem(404, "Data not found. At least one of the given request parameters is invalid.")
      : undefined,
  );
}

it("is what the refresh sends in random workbooks, and less only where arguments are calculated first", async () => {
  const wrong: unknown[] = [];
  for (let seed = 1; seed <= workbooks; seed += 1) {
    const scenario: Scenario = { ...scenarioOf(seed), ...untroubled, edits: [], failing: [], nameErrors: 0 };
    const book = await openRandom(scenario);
    addHistories(book, seed);
    await book.clock.advance(scenario.ageMs);
    // Some of the answers are new enough, and others come while somebody looks.
    if (seed % 3 === 0) {
      await book.clock.until(book.refresher.start("sheet"));
      await book.clock.advance((seed % 7) * 15_000);
    }
    const { price, unpredictable, atMostWhole } = await book.clock.until(book.refresher.quote("workbook"));
    const sent = counting(book);
    await book.clock.until(book.refresher.start("workbook"));
    const { search, events } = sent();
    const isSearchWrong = unpredictable === 0 ? search !== price.searchCalls : search < price.searchCalls;
    const most = price.eventCallsAtLeast + atMostWhole;
    if (isSearchWrong || events < price.eventCallsAtLeast || events > most) {
      wrong.push([seed, search, price.searchCalls, events, price.eventCallsAtLeast, most]);
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

it("changes at the moment that it says when a minute passes", async () => {
  const bed = createRefreshBed({ isProduction: true });
  for (let row = 0; row < 55; row += 1) {
    bed.put(at(row, 0), 100 + row);
    bed.put(at(row, 1), gtin(row + 1));
    bed.put(at(row), `=INV.QTY(A${row + 1},B${row + 1})`);
  }
  await bed.clock.until(bed.refresher.start("workbook"));
  const before = await bed.clock.until(bed.refresher.quote("workbook"));
  expect(before.price.searchCalls).toBe(0);
  expect(before.validUntilMs - bed.clock.now()).toBeLessThanOrEqual(minuteMs);
  await bed.clock.advance(minuteMs);
  expect(before.validUntilMs).toBeLessThanOrEqual(bed.clock.now());
  const { price } = await bed.clock.until(bed.refresher.quote("workbook"));
  const sent = counting(bed);
  await bed.clock.until(bed.refresher.start("workbook"));
  expect([price.searchCalls, sent().search]).toEqual([55, 55]);
});

it("counts the new day after midnight", async () => {
  const bed = createRefreshBed({ isProduction: true });
  bed.put(at(0, 0), 100);
  bed.put(at(0, 1), gtin(1));
  bed.put(at(0), '=INV.EVENTQTY(A1,B1,"SALES",TODAY()-1)');
  const now = new Date(bed.clock.now());
  const midnightMs = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
  await bed.clock.advance(midnightMs - 20_000 - bed.clock.now());
  await bed.clock.until(bed.refresher.start("workbook"));
  const { price, validUntilMs } = await bed.clock.until(bed.refresher.quote("workbook"));
  expect([price.eventCallsAtLeast, validUntilMs]).toEqual([0, midnightMs]);
  await bed.clock.advance(midnightMs + 1_000 - bed.clock.now());
  expect((await bed.clock.until(bed.refresher.quote("workbook"))).price.eventCallsAtLeast).toBe(1);
});

it("of older values counts by the age that the header shows, also for values of the file", async () => {
  const opened = await openPlan(60);
  const fileTime = createObservable<number | "unknown">(opened.clock.now() - 8 * minuteMs);
  const bed = opened.reload({ fileTime: () => fileTime.get() });
  const older = async () => (await bed.clock.until(bed.refresher.quote("older"))).cells;
  expect(await older()).toBe(0);
  await bed.clock.advance(8 * minuteMs);
  expect(await older()).toBe(60);
  fileTime.set("unknown");
  expect(await older()).toBe(60);
});
