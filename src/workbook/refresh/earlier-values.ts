/**
 * Values that the workbook was opened with: hosts do not calculate them again, so this session has not asked for
 * them and the cell register does not know their age. The file says how old its oldest value is; that stands
 * until a refresh has reached these cells.
 * Saving clears what Excel can undo (reported, office-js 3141). So there the time is saved at the end of a refresh
 * that a person asked for, and only while they have not touched the sheet since; with an act of theirs that is not
 * undone in one step; and an older time also when an edit has just brought an older value. Where saving costs
 * nothing, it follows the values. Invariant: what the file says is never newer than a value it holds.
 */
import type { CellRegister } from "../../cells/cell-register";
import { createSource, type Source } from "../../domain/notices";
import type { Clock } from "../../engine/clock";
import type { Workbook } from "../port";
import { asOfSetting } from "../settings";
import { isRunning, type Refresher } from "./refresh";

export interface EarlierValues {
  /** Formulas that this session has not calculated. */
  readonly cells: number;
  /** None of their values is older. */
  readonly oldestMs: number;
}

export interface EarlierValuesSource extends Source<EarlierValues | null> {
  /** Does what a person has asked for, and then says in the file how old what it was done to is. */
  act<T>(work: () => Promise<T>): Promise<T>;
}

export interface EarlierValuesOptions {
  readonly workbook: Pick<Workbook, "setting" | "setSetting" | "onEdit">;
  readonly cells: Pick<CellRegister, "summary" | "subscribe">;
  readonly clock: Clock;
  readonly refresher: Pick<Refresher, "quote" | "state" | "unseen" | "subscribe">;
  /** The host saves settings without a loss to what can be undone. */
  readonly savesFreely: boolean;
}

/** Cells settle in bursts; the last one counts. */
const quietMs = 500;
/** What an edit has brought is there within this time, or it was not the edit. */
const editMs = 60_000;

/** Null while there are none, and until the workbook was looked through. */
export function createEarlierValues(options: EarlierValuesOptions): EarlierValuesSource {
  const { workbook, cells, clock, refresher, savesFreely } = options;
  const source = createSource<EarlierValues | null>(null);
  /** What the file said at its opening; null once nothing is left of it. */
  let inFileMs: number | null = null;
  let writtenMs: number | null = null;
  /** Every INV value in the workbook is of this session. */
  let isCovered = false;
  let timer: unknown = null;
  /** How many cells the register knew at the last look. */
  let knownCells = 0;
  /** A person asked for the refresh under way, or for the last, and has not edited since. */
  let isTheirs = false;
  let wasRunning = false;
  let editedAtMs = -Infinity;

  function set(next: EarlierValues | null): void {
    const value = source.get();
    if (next?.cells !== value?.cells || next?.oldestMs !== value?.oldestMs) source.set(next);
  }

  /** A look has found fewer, or a refresh has been everywhere: what is left then was never INV's to ask. */
  function follow(): void {
    const { state, unseen } = refresher;
    const isEverywhere = state.phase === "done" && (state.scope === "workbook" || state.scope === "older");
    if (isRunning(state) && !wasRunning) isTheirs = !state.isUnasked;
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
    if (summary.waiting > 0 || isRunning(refresher.state)) return;
    if (!isCovered && summary.cells !== knownCells) {
      knownCells = summary.cells;
      await refresher.quote("workbook");
    }
    const oldestMs = oldestNow();
    if (oldestMs === null || oldestMs === writtenMs) return;
    const isOlder = writtenMs !== null && oldestMs < writtenMs;
    const hasEdited = clock.steadyNow() - editedAtMs < editMs;
    if (savesFreely || isTheirs || (isOlder && hasEdited)) await save(oldestMs);
  }

  /** Null where the workbook holds none, or some of which nothing can be said: the file that came with them is silent. */
  function oldestNow(): number | null {
    const oldestMs = Math.min(cells.summary().oldestMs ?? Infinity, inFileMs ?? Infinity);
    return oldestMs === Infinity || (inFileMs === null && !isCovered) ? null : oldestMs;
  }

  async function save(oldestMs: number): Promise<void> {
    isTheirs = false;
    await workbook.setSetting(asOfSetting, new Date(oldestMs).toISOString());
    writtenMs = oldestMs;
  }

  async function act<T>(work: () => Promise<T>): Promise<T> {
    // Before the work: what becomes a value is known to nobody afterwards.
    if (!isCovered) await refresher.quote("workbook").catch(() => undefined);
    const oldestMs = oldestNow();
    const done = await work();
    if (oldestMs !== null && oldestMs !== writtenMs) await save(oldestMs).catch(() => undefined);
    return done;
  }

  function soon(): void {
    clock.clearTimeout(timer);
    // A file that cannot be written says nothing of its age, as before.
    timer = clock.setTimeout(() => void afterQuiet().catch(() => undefined), quietMs);
  }

  async function begin(): Promise<void> {
    const said = readTime(await workbook.setting(asOfSetting).catch(() => null));
    inFileMs = writtenMs = said !== null && said <= clock.now() ? said : null;
    refresher.subscribe(follow);
    workbook.onEdit(() => {
      isTheirs = false;
      editedAtMs = clock.steadyNow();
    });
    cells.subscribe(soon);
    follow();
    soon();
  }

  void begin();
  return { get: source.get, subscribe: source.subscribe, act };
}

function readTime(text: string | null): number | null {
  const timeMs = Date.parse(text ?? "");
  return Number.isFinite(timeMs) ? timeMs : null;
}
