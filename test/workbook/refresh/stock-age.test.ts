/** The age of the stock keeps counting while nothing happens, also during a pause of the quota. */
import { createUnanswered } from "../../../src/engine/unanswered";
import { type CellRegister, createCellRegister } from "../../../src/cells/cell-register";
import { InvError } from "../../../src/domain/errors";
import { createObservable } from "../../../src/domain/notices";
import { createEngine } from "../../../src/engine/engine";
import { stockWords } from "../../../src/taskpane/header/stock-words";
import type { EarlierValues } from "../../../src/workbook/refresh/earlier-values";
import type { Refresher } from "../../../src/workbook/refresh/refresh";
import { createStockAge } from "../../../src/workbook/refresh/stock-age";
import { createScriptedService } from "../../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

function ageOf(cells: CellRegister, clock: VirtualClock) {
  return createStockAge({
    cells,
    clock,
    settings: createObservable({ freshnessMinutes: 15 }),
    nextRefresh: createObservable<number | null>(null),
  });
}

const query = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" } as const;

function answerNow(cells: CellRegister, clock: VirtualClock): void {
  const report = cells.begin("Plan!C1", "demo");
  report.requests(query);
  report.answered(clock.now());
  report.settled();
}

it("is reported four times a minute during a pause", async () => {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const cells = createCellRegister({ clock });
  const age = ageOf(cells, clock);
  const told: (number | null)[] = [];
  age.subscribe(() => told.push(age.get().asOf === null ? null : clock.now() - Number(age.get().asOf)));
  answerNow(cells, clock);
  // The service asks everybody to wait, so nothing settles from here on.
  service.script(({ operation }) =>
    operation === "search" ? new Response("", { status: 429, headers: { "retry-after": "60" } }) : undefined,
  );
  void engine
    .item({ storeNumber: 1234, itemType: "gtin", value: "00012345678905" }, "Plan!C2")
    .catch(() => undefined);
  await clock.advance(59_000);
  expect(engine.progress().quota.search.resumesAtMs).not.toBeNull();
  const ages = told.filter((each): each is number => each !== null);
  expect(Math.max(...ages)).toBeGreaterThanOrEqual(45_000);
  expect(new Set(ages.map((each) => Math.round(each / 15_000))).size).toBeGreaterThanOrEqual(4);
  await clock.advance(31_000);
  expect(stockWords(age.get(), clock.now()).text).toMatch(/2 min old$/);
});

it("is that of the oldest value, also of one from the file", () => {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const age = ageOf(cells, clock);
  const openedMs = clock.now() - 3_600_000;
  const refresher = { subscribe: () => () => undefined } as unknown as Refresher;
  age.follow(refresher, createObservable<EarlierValues | null>({ cells: 1, oldestMs: openedMs }));
  expect(age.get()).toMatchObject({ asOf: openedMs, isOld: true, isAnswered: false });
  answerNow(cells, clock);
  expect(age.get()).toMatchObject({ asOf: openedMs, isOld: true });
});

it("is unknown if nobody knows it for some values, and isn't shown before INV has looked", () => {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const age = ageOf(cells, clock);
  const refresher = { subscribe: () => () => undefined } as unknown as Refresher;
  const earlier = createObservable<EarlierValues | null>({ cells: null, oldestMs: "unknown" });
  age.follow(refresher, earlier);
  answerNow(cells, clock);
  expect(age.get()).toMatchObject({ asOf: "unknown", isOld: false, isAnswered: false });
  expect(stockWords(age.get(), clock.now()).text).toBe("");
  earlier.set({ cells: 3, oldestMs: "unknown" });
  expect(age.get()).toMatchObject({ asOf: "unknown", isOld: true, isAnswered: false });
  expect(stockWords(age.get(), clock.now())).toEqual({ text: "Age of some stock unknown", isWarning: true });
});

it.each([
  [-30_000, false],
  [-3_600_000, true],
])("of a value is unknown if the clock was then set by %d ms: old is %s", (byMs, isOld) => {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const age = ageOf(cells, clock);
  answerNow(cells, clock);
  clock.setSystem(byMs);
  expect(age.get().isOld).toBe(isOld);
  expect(stockWords(age.get(), clock.now()).text.endsWith("later than this computer's clock")).toBe(isOld);
});

it("isn't answered while a cell has no answer", () => {
  const clock = createVirtualClock();
  const unanswered = createUnanswered(() => "demo");
  const cells = createCellRegister({ clock, reasons: unanswered.queries });
  const age = ageOf(cells, clock);
  answerNow(cells, clock);
  expect(age.get().isAnswered).toBe(true);
  unanswered.note(query, new InvError("service-down", "The service is down."), "demo");
  expect(age.get()).toMatchObject({ asOf: clock.now(), isAnswered: false });
  unanswered.forget(query, "demo");
  expect(age.get().isAnswered).toBe(true);
});

it("counts cells that wait for their turn, although the engine doesn't know them yet", () => {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const age = ageOf(cells, clock);
  answerNow(cells, clock);
  expect(age.get()).toMatchObject({ isAnswered: true, isWaiting: false });
  const waiting = cells.begin("Plan!C2", "demo");
  expect(age.get()).toMatchObject({ isAnswered: false, isWaiting: true });
  waiting.settled();
  expect(age.get()).toMatchObject({ isAnswered: true, isWaiting: false });
});
