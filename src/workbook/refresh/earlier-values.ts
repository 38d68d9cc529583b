/**
 * Values from the file. Hosts don't calculate them when the workbook opens, so this session hasn't requested them and the
 * register doesn't know their age. The file contains the time of its oldest value, which counts until a refresh has reached
 * these cells.
 * Saving a setting clears Excel's undo list (reported, office-js 3141). So in Excel, INV saves the time only
 * - at the end of a refresh that a person started, if they haven't edited the sheet since;
 * - when an edit has just brought an older value.
 * In hosts where saving has no such cost, the time follows the values. Invariant: the file's time is never newer than a value
 * in it.
 */
import type { CellRegister } from "../../cells/cell-register";
import { createSource, type Source } from "../../domain/notices";
import type { Clock } from "../../engine/clock";
import type { Workbook } from "../port";
import { asOfSetting } from "../settings";
import { isRunning, type Refresher } from "./refresh";

export interface EarlierValues {
  readonly cells: number;
  /** No value is older than this time. */
  readonly oldestMs: number;
}

export interface EarlierValuesOptions {
  readonly workbook: Pick<Workbook, "setting" | "setSetting" | "onEdit">;
  readonly cells: Pick<CellRegister, "summary" | "subscribe">;
  readonly clock: Clock;
  readonly refresher: Pick<Refresher, "quote" | "state" | "unseen" | "subscribe">;
  /** Whether the host keeps its undo list when settings are saved. */
  readonly savesFreely: boolean;
}

/** Cells settle in bursts; wait this long after the last one. */
const quietMs = 500;
/** If a value arrives later than this after an edit, it has another cause. */
const editMs = 60_000;

/** Creates the source. It is null until the workbook was searched, and if there are no such values. */
export function createEarlierValues(options: EarlierValuesOptions): Source<EarlierValues | null> {
  const { workbook, cells, clock, refresher, savesFreely } = options;
  const source = createSource<EarlierValues | null>(null);
  /** The file's time when it was opened; null once every value is newer. */
  let inFileMs: number | null = null;
  let writtenMs: number | null = null;
  /** Whether every INV value in the workbook is from this session. */
  let isCovered = false;
  let timer: unknown = null;
  let knownCells = 0;
  /** Whether a person started the latest refresh and hasn't edited anything since. */
  let wasAskedFor = false;
  let wasRunning = false;
  let editedAtMs = -Infinity;

  function set(next: EarlierValues | null): void {
    const value = source.get();
    if (next?.cells !== value?.cells || next?.oldestMs !== value?.oldestMs) source.set(next);
  }

  /**
   * Handles a change of the refresher. After a refresh of everything, formulas that INV still hasn't calculated don't need INV.
   */
  function follow(): void {
    const { state, unseen } = refresher;
    const isEverywhere = state.phase === "done" && (state.scope === "workbook" || state.scope === "older");
    if (isRunning(state) && !wasRunning) wasAskedFor = !state.isAutomatic;
    wasRunning = isRunning(state);
    if (unseen === 0 || isEverywhere) {
      inFileMs = null;
      isCovered = true;
    }
    if (inFileMs === null || unseen === null) set(null);
    else set({ cells: Math.min(unseen, source.get()?.cells ?? Infinity), oldestMs: inFileMs });
    soon();
  }

  async function afterQuiet(): Promise<void> {
    const summary = cells.summary();
    if (summary.isCalculating || isRunning(refresher.state)) return;
    if (!isCovered && summary.cells !== knownCells) {
      knownCells = summary.cells;
      await refresher.quote("workbook");
    }
    const oldestMs = oldestNow();
    if (oldestMs === null || oldestMs === writtenMs) return;
    const isOlder = writtenMs !== null && oldestMs < writtenMs;
    const hasEdited = clock.steadyNow() - editedAtMs < editMs;
    if (savesFreely || wasAskedFor || (isOlder && hasEdited)) await save(oldestMs);
  }

  /** Returns null if there are no values, or if some have an unknown age because the file contains no time. */
  function oldestNow(): number | null {
    const oldestMs = Math.min(cells.summary().oldestMs ?? Infinity, inFileMs ?? Infinity);
    return oldestMs === Infinity || (inFileMs === null && !isCovered) ? null : oldestMs;
  }

  async function save(oldestMs: number): Promise<void> {
    wasAskedFor = false;
    await workbook.setSetting(asOfSetting, new Date(oldestMs).toISOString());
    writtenMs = oldestMs;
  }

  function soon(): void {
    clock.clearTimeout(timer);
    // If the workbook can't be written, it keeps its earlier time.
    timer = clock.setTimeout(() => void afterQuiet().catch(() => undefined), quietMs);
  }

  async function begin(): Promise<void> {
    const fileMs = readTime(await workbook.setting(asOfSetting).catch(() => null));
    inFileMs = writtenMs = fileMs !== null && fileMs <= clock.now() ? fileMs : null;
    refresher.subscribe(follow);
    workbook.onEdit(() => {
      wasAskedFor = false;
      editedAtMs = clock.steadyNow();
    });
    cells.subscribe(soon);
    follow();
    soon();
  }

  void begin();
  return { get: source.get, subscribe: source.subscribe };
}

function readTime(text: string | null): number | null {
  const timeMs = Date.parse(text ?? "");
  return Number.isFinite(timeMs) ? timeMs : null;
}
