/**
 * How old the values are that the workbook shows. What INV may say about them:
 * - A value that this session has calculated is as old as its answer. The register has these times.
 * - Hosts don't calculate formulas when a workbook opens, so other values were saved with the workbook. None of them is older than
 *   the time that the file says (the setting `inv.as-of`). If it says none, or a later time than this computer's clock, their age is
 *   unknown. That is a value of its own, and never "now".
 * - Only a search of the whole workbook can tell that no such value is left: not a count, because formulas are added, moved and
 *   deleted, and not the end of a refresh, because it may have reached no cell. Until then the file's time counts. Afterwards it
 *   doesn't, so the age of values that come later with a sheet of another workbook is unknown.
 * - Formulas that a refresh has calculated without a call of INV (an IF skips it) show no value of the service.
 * - Before the first search, the headers say nothing about an unknown age.
 * `asOfOldest` decides this for the headers, copies, downloads and the file. Invariant: no time that INV shows or saves is newer than a
 * value that it stands for, as soon as cells have settled.
 *
 * Saving a setting clears Excel's undo list (reported, office-js 3141). So in Excel, INV saves a newer time only at the end of a
 * refresh that a person started, if they haven't edited the sheet since; also that an age is unknown. In hosts where saving has no such
 * cost, the time follows the values. Everywhere, the time goes back at once if an older value arrives, and a newer one is saved only
 * right after a search. If somebody else has saved a time in between (co-authoring), the earlier of the two counts, until a search finds
 * no value but this session's.
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { createSource, type Source } from "../../domain/notices";
import type { Clock, TimerId } from "../../engine/clock";
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

export interface EarlierValuesOptions {
  readonly workbook: Pick<Workbook, "setting" | "setSetting" | "onEdit">;
  readonly cells: Pick<CellRegister, "summary" | "subscribe">;
  readonly clock: Clock;
  readonly refresher: Pick<Refresher, "quote" | "state" | "subscribe">;
  /** Whether the host keeps its undo list when settings are saved. */
  readonly savesFreely: boolean;
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
export function oldestOf(cells: Iterable<Pick<InvCell, "oldestMs">>): number | null {
  let oldest = Infinity;
  for (const { oldestMs } of cells) oldest = Math.min(oldest, oldestMs ?? Infinity);
  return oldest === Infinity ? null : oldest;
}

/** Creates the source. It is null if a search has found no such values. */
export function createEarlierValues(options: EarlierValuesOptions): Source<EarlierValues | null> {
  const { workbook, cells, clock, refresher, savesFreely } = options;
  const source = createSource<EarlierValues | null>({ cells: null, oldestMs: "unknown" });
  /** What the file says, as this session has read or written it last. */
  let inFile: string | null = null;
  /** The time that counts for values from the file; null if it says none, or once there were no such values. */
  let fileMs: number | null = null;
  let timer: TimerId = null;
  let isWorking = false;
  let searchedCells = -1;
  /** Whether a person started the latest refresh and hasn't edited anything since. */
  let wasAskedFor = false;
  let wasRunning = false;

  function follow(): void {
    const { uncalculated } = cells.summary();
    if (uncalculated === 0) {
      fileMs = null;
      set(null);
    } else set({ cells: uncalculated, oldestMs: fileMs ?? "unknown" });
    soon(quietMs);
  }

  function set(next: EarlierValues | null): void {
    const value = source.get();
    if (next?.cells !== value?.cells || next?.oldestMs !== value?.oldestMs) source.set(next);
  }

  function followRefresh(): void {
    const { state } = refresher;
    if (isRunning(state) && !wasRunning) wasAskedFor = !state.isAutomatic;
    // A refresh also tells which formulas show no value of the service.
    if (wasRunning && !isRunning(state)) searchedCells = -1;
    wasRunning = isRunning(state);
    follow();
  }

  async function afterQuiet(): Promise<void> {
    const { isCalculating, uncalculated, cells: registered } = cells.summary();
    if (isCalculating || isRunning(refresher.state)) return;
    if (uncalculated === null || (uncalculated > 0 && registered !== searchedCells)) await search();
    await save();
  }

  async function search(): Promise<void> {
    searchedCells = cells.summary().cells;
    await refresher.quote("workbook");
    follow();
  }

  async function save(): Promise<void> {
    const asOf = asOfNow();
    if (asOf === null || textOf(asOf) === inFile) return;
    if (asOf === "unknown" && readTime(inFile) === null) return;
    const mayClaim = savesFreely || wasAskedFor;
    if (!isEarlier(asOf) && !mayClaim) return;
    // The file may say a newer time only right after a search that has found nothing else.
    if (!isEarlier(asOf)) await search();
    const isChanged = (await hasNewTime()) || asOfNow() !== asOf || cells.summary().isCalculating;
    // Look again later.
    if (isChanged) follow();
    if (isChanged || (asOf === "unknown" && !mayClaim)) return;
    wasAskedFor = false;
    await workbook.setSetting(asOfSetting, textOf(asOf));
    inFile = textOf(asOf);
    // A value may have come in the meantime.
    soon(quietMs);
  }

  /** Returns null before a search. */
  function asOfNow(): AsOf {
    const { oldestMs, uncalculated } = cells.summary();
    return uncalculated === null ? null : asOfOldest(oldestMs, source.get());
  }

  function isEarlier(asOf: number | "unknown"): boolean {
    const timeMs = readTime(inFile);
    return timeMs !== null && (asOf === "unknown" || asOf < timeMs);
  }

  /** Reads what the file says, and returns whether it is another time than the last one. */
  async function hasNewTime(): Promise<boolean> {
    const text = await workbook.setting(asOfSetting);
    if (text === inFile) return false;
    inFile = text;
    const timeMs = readTime(text);
    fileMs = timeMs === null || timeMs > clock.now() ? null : Math.min(timeMs, fileMs ?? Infinity);
    return true;
  }

  function soon(waitMs: number): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void work(), waitMs);
  }

  /** One at a time, so that a later save knows what an earlier one has written. */
  async function work(): Promise<void> {
    if (isWorking) {
      soon(quietMs);
      return;
    }
    isWorking = true;
    // If the workbook can't be read or written now, the file keeps its earlier time.
    await afterQuiet().catch(() => soon(againMs));
    isWorking = false;
  }

  async function begin(): Promise<void> {
    workbook.onEdit(() => (wasAskedFor = false));
    await hasNewTime().catch(() => undefined);
    refresher.subscribe(followRefresh);
    cells.subscribe(follow);
    follow();
    await search().catch(() => undefined);
  }

  void begin();
  return { get: source.get, subscribe: source.subscribe };
}

function textOf(asOf: number | "unknown"): string {
  return typeof asOf === "number" ? new Date(asOf).toISOString() : asOf;
}

function readTime(text: string | null): number | null {
  const timeMs = Date.parse(text ?? "");
  return Number.isFinite(timeMs) ? timeMs : null;
}
