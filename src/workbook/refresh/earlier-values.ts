/**
 * How old the values are that the workbook shows. What INV may say about them:
 * - A value that this session has calculated is as old as its answer. The register has these times.
 * - Hosts don't calculate formulas when a workbook opens, so other values were saved with the workbook. None of them is older than the
 *   file's time (the setting `inv.as-of`). If the file has none, or one later than this computer's clock, their age is unknown. That is
 *   a value of its own, and never "now". Before the first search of the workbook, the headers don't mention an unknown age.
 * - Once a search of the whole workbook finds no such value, all of them are this session's. The file's time doesn't count for what comes
 *   later, nor for a sheet that is added: it may come from another workbook, with values of unknown age.
 * Invariant: no time that INV shows or saves is newer than a value that it stands for, as soon as cells have settled.
 *
 * INV saves the file's time when a refresh of the whole workbook that a person started has ended: the time of the oldest value. Nothing
 * else raises it, because saving a setting clears Excel's undo list (reported, office-js 3141). Older values lower it at once: a new
 * formula may take an answer from before the refresh, of this page or a colleague, as long as it is fresh.
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { createObservable, type Observable } from "../../domain/notices";
import { unawaited } from "../../domain/unawaited";
import type { Clock, TimerId } from "../../engine/clock";
import { parseCellAddress } from "../addresses";
import type { Workbook } from "../port";
import { asOfSetting } from "../settings";
import { isRunning, type Refresher } from "./refresh";

/** The as-of time of the oldest value; null if there is no value. */
export type AsOf = number | "unknown" | null;

/** Values that this session hasn't calculated. */
export interface EarlierValues {
  /** Null before INV has searched the workbook. */
  readonly cells: number | null;
  /** No value is older than this time. */
  readonly oldestMs: number | "unknown";
}

/** Cells settle in bursts; wait this long after the last one. */
const quietMs = 500;
/** Excel refuses while a person edits a cell. */
const againMs = 10_000;

/**
 * Returns the age of values of which this session has calculated some.
 * @param ownMs time of the oldest of those; null if there are none
 * @param earlier the others; null if there are none
 */
export function asOfOldest(ownMs: number | null, earlier: EarlierValues | null): AsOf {
  if (earlier === null) return ownMs;
  return earlier.oldestMs === "unknown" ? "unknown" : Math.min(earlier.oldestMs, ownMs ?? Infinity);
}

/** Returns the time of the oldest value that these cells show; null if they show none. */
export function oldestTimeMs(cells: Iterable<Pick<InvCell, "oldestMs">>): number | null {
  let oldest = Infinity;
  for (const { oldestMs } of cells) oldest = Math.min(oldest, oldestMs ?? Infinity);
  return oldest === Infinity ? null : oldest;
}

/** Creates the source. It is null if a search has found no such values. */
export function createEarlierValues(options: {
  readonly workbook: Pick<Workbook, "setting" | "setSetting" | "onEdit">;
  readonly cells: Pick<CellRegister, "summary" | "subscribe" | "uncalculated">;
  readonly clock: Clock;
  readonly refresher: Pick<Refresher, "quote" | "state" | "subscribe">;
}): Observable<EarlierValues | null> {
  const { workbook, cells, clock, refresher } = options;
  const source = createObservable<EarlierValues | null>({ cells: null, oldestMs: "unknown" });
  /** The file's time, as far as it counts; null until it was read. */
  let fileTime: number | "unknown" | null = null;
  const addedSheets = new Set<string>();
  /** The end of the last refresh after which the file's time was right. */
  let savedEndMs: number | null = null;
  let timer: TimerId = null;
  let working: Promise<void> = Promise.resolve();

  function follow(): void {
    update();
    soon(quietMs);
  }

  function update(): void {
    const { uncalculated } = cells.summary();
    // An edit needs a new search. Until it ends, the last one counts, except for a sheet that may come from another workbook.
    if (uncalculated === null && addedSheets.size === 0) return;
    if (uncalculated === 0) fileTime = "unknown";
    const value = source.get();
    const count = uncalculated ?? value?.cells ?? null;
    const next = uncalculated === 0 ? null : { cells: count, oldestMs: fileTime ?? "unknown" };
    if (next?.cells !== value?.cells || next?.oldestMs !== value?.oldestMs) source.set(next);
  }

  function soon(waitMs: number): void {
    clock.clearTimeout(timer);
    // One after the other, so that a later look knows what an earlier one has saved.
    timer = clock.setTimeout(() => {
      // If the workbook can't be read or written now, the file keeps its time.
      working = working.then(settle).catch(() => soon(againMs));
    }, waitMs);
  }

  const isBusy = (): boolean => cells.summary().isCalculating || isRunning(refresher.state);

  /** The end of a calculation or a refresh starts the next look. */
  async function settle(): Promise<void> {
    if (isBusy()) return;
    if (cells.summary().uncalculated === null) await refresher.quote("workbook");
    const inFile = await readFileTime();
    if (isBusy()) return;
    const uncalculated = cells.uncalculated();
    if (uncalculated === null) {
      // Somebody has edited the workbook during the search.
      soon(againMs);
      return;
    }
    const isAdded = (address: string): boolean => addedSheets.has(parseCellAddress(address)?.sheet ?? "");
    if (addedSheets.size > 0 && [...uncalculated.keys()].some(isAdded)) fileTime = "unknown";
    addedSheets.clear();
    update();
    const { oldestMs } = cells.summary();
    const { scope, isAutomatic, endedAtMs } = refresher.state;
    const mayRise = scope === "workbook" && !isAutomatic && endedAtMs !== savedEndMs;
    const asOf = asOfOldest(oldestMs, source.get());
    if (asOf !== null && asOf !== inFile && (mayRise || isEarlier(asOf, inFile))) {
      await workbook.setSetting(asOfSetting, typeof asOf === "number" ? new Date(asOf).toISOString() : asOf);
    }
    savedEndMs = endedAtMs;
  }

  /** Of two times, also those of several people, the earlier one counts. */
  async function readFileTime(): Promise<number | "unknown"> {
    const timeMs = Date.parse((await workbook.setting(asOfSetting)) ?? "");
    const inFile = Number.isFinite(timeMs) ? timeMs : "unknown";
    const counting = inFile === "unknown" || inFile > clock.now() ? "unknown" : inFile;
    if (fileTime === null || isEarlier(counting, fileTime)) fileTime = counting;
    return inFile;
  }

  async function begin(): Promise<void> {
    workbook.onEdit((edit) => {
      if (edit === null) return;
      if ("added" in edit) addedSheets.add(edit.added);
      if ("from" in edit && addedSheets.delete(edit.from)) addedSheets.add(edit.to);
    });
    await readFileTime().catch(() => undefined);
    source.set({ cells: null, oldestMs: fileTime ?? "unknown" });
    refresher.subscribe(follow);
    cells.subscribe(follow);
    follow();
    await refresher.quote("workbook").catch(() => undefined);
  }

  unawaited(begin());
  return { get: source.get, subscribe: source.subscribe };
}

function isEarlier(one: number | "unknown", other: number | "unknown"): boolean {
  return other !== "unknown" && (one === "unknown" || one < other);
}
