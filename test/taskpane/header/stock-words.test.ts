/** How old the stock is: the facts over time, and the line that both headers show. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { createNotices, createObservable } from "../../../src/domain/notices";
import { stockWords } from "../../../src/taskpane/header/stock-words";
import { zoneWords } from "../../../src/taskpane/parts/words";
import type { EarlierValues } from "../../../src/workbook/refresh/earlier-values";
import { createStockAge, type FollowedRefresher } from "../../../src/workbook/refresh/stock-age";
import { createVirtualClock } from "../../helpers/virtual-clock";

const minute = 60_000;
const at = (hours: number, minutes: number) => new Date(2026, 10, 21, hours, minutes).getTime();
const zone = zoneWords(at(14, 44));
const fresh = {
  asOf: at(14, 44),
  isOld: false,
  isAnswered: true,
  isWaiting: false,
  failedAtMs: null,
  nextRefreshMs: null,
  earlier: null,
};

test.each([
  [{ ...fresh, asOf: null }, "", false],
  [fresh, `Stock as of 14:44 ${zone}`, false],
  [{ ...fresh, asOf: at(14, 40) }, `Stock as of 14:40 ${zone}, 4 min old`, false],
  [
    { ...fresh, asOf: at(6, 44), isOld: true, failedAtMs: at(14, 30) },
    `Stock as of 06:44 ${zone}, 8 h old, last refresh failed 14:30`,
    true,
  ],
  [{ ...fresh, failedAtMs: at(14, 30) }, `Stock as of 14:44 ${zone}, last refresh failed 14:30`, true],
  [{ ...fresh, nextRefreshMs: at(15, 0) }, `Stock as of 14:44 ${zone}, next refresh 15:00`, false],
])("%j is shown as %j", (age, text, isWarning) => {
  expect(stockWords(age, at(14, 44))).toEqual({ text, isWarning });
});

test("values grow old without an event, and a failed refresh is shown until one succeeds", async () => {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const settings = createObservable({ freshnessMinutes: 15 });
  const age = createStockAge({ cells, clock, settings, nextRefresh: createObservable<number | null>(null) });
  const notices = createNotices();
  const refresher = {
    state: { phase: "idle", endedAtMs: null } as FollowedRefresher["state"],
    subscribe: notices.subscribe,
  };
  const enter = (phase: FollowedRefresher["state"]["phase"]) => {
    refresher.state = { phase, endedAtMs: clock.now() };
    notices.tell();
  };
  const earlier = createObservable<EarlierValues | null>(null);
  age.follow(refresher, earlier);

  const call = cells.begin("Plan!A1", "demo");
  call.answered(clock.now());
  call.settled();
  const wasOld: boolean[] = [];
  age.subscribe(() => wasOld.push(age.get().isOld));
  await clock.advance(14 * minute);
  expect(wasOld.at(-1)).toBe(false);
  await clock.advance(2 * minute);
  expect(wasOld.at(-1)).toBe(true);

  const openedWith = { cells: 3, oldestMs: clock.now() - 20 * 60 * minute };
  earlier.set(openedWith);
  expect(age.get()).toMatchObject({ asOf: openedWith.oldestMs, isOld: true, earlier: openedWith });
  earlier.set(null);
  expect(age.get().asOf).toBe(clock.now() - 16 * minute);

  enter("failed");
  const failedAtMs = clock.now();
  await clock.advance(minute);
  enter("running");
  enter("cancelled");
  expect(age.get().failedAtMs).toBe(failedAtMs);
  enter("done");
  expect(age.get().failedAtMs).toBeNull();
});
