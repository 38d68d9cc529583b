/**
 * One refresh from the request to the last cell. It asks the engine for everything that its cells need, and marks cells while the answers
 * come: those whose outcomes are all there, once a second. The rest is the matter of the last stage.
 * What it knows is queries and their outcomes, which the engine keeps. Of single cells it keeps what `OpenCell` lists, until they are found
 * again because somebody has edited the workbook (`run-cells`).
 * Invariants: a cell is marked only if it then shows something new and loses nothing. In the end each cell is refreshed, left with a
 * reason, or wasn't called by Excel.
 */
import { InvError } from "../../domain/errors";
import { nextTurn, pause } from "../../engine/clock";
import { inTimeSlices } from "../in-time-slices";
import { createLastStage } from "./last-stage";
import { createMarks, type OpenCell } from "./marks";
import { createOutcomes } from "./outcomes";
import { createRunCells, type RunOptions } from "./run-cells";
import type { RefreshCell } from "./scopes";
import { createVerdicts, type UncalledCell } from "./verdicts";

const lookEveryMs = 1_000;
/** At most this share of a large refresh shows #BUSY! at once. */
const largestShare = 0.1;
const leastLargest = 1_000;

export interface RunEnd {
  /** Number of cells: refreshed, left, and uncalled. */
  readonly cells: number;
  readonly refreshed: number;
  /** These keep what they show. */
  readonly unrefreshed: readonly { readonly cell: RefreshCell; readonly because: InvError }[];
  readonly uncalled: readonly UncalledCell[];
  /** The number of edits before the last search for the cells. */
  readonly editsSeen: number;
}

export interface RefreshRun {
  /** Rejects if the workbook can't be read. */
  readonly end: Promise<RunEnd>;
  /** Whether the engine was asked. Until then, its latest refresh is another one. */
  isRequested(): boolean;
  stop(): void;
}

const movedMeanwhile = new InvError(
  "not-possible",
  "Somebody inserted, deleted or moved cells during the refresh, so INV couldn't follow it. Refresh again.",
);

export function startRun(options: RunOptions): RefreshRun {
  const { engine, cells, clock } = options;
  let isStopped = false;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const calculatedBefore = cells.lastRecalculation();
  const marks = createMarks({ ...options, stopped, isStopped: () => isStopped });
  const outcomes = createOutcomes(options);
  /** Not after a cancel, without a connection, or in another environment. */
  const mayMark = (): boolean => !isStopped && outcomes.refusal() === null && engine.hasRefresh;
  const runCells = createRunCells(options, { outcomes, calculatedBefore, mayMark });
  const verdicts = createVerdicts(options, { marks, outcomes, isStopped: () => isStopped });
  const parts = { runCells, outcomes, marks, verdicts, stopped, mayMark, mark, markAll };
  const lastStage = createLastStage(options, parts);

  async function mark(wave: readonly OpenCell[], asksAnyway: boolean): Promise<void> {
    if (!mayMark() || wave.length === 0) return;
    await marks.mark(wave, { asksAnyway });
    for (const each of wave) each.isRefreshed = marks.isCalled(each) && outcomes.isRefreshed(each.cell);
    runCells.report();
  }

  /** Marks these cells in waves, beginning with the sheet in view. */
  async function markAll(list: readonly OpenCell[]): Promise<void> {
    const isInView = ({ cell }: OpenCell): boolean => cell.ref.sheet === engine.sheetInView;
    const ordered = [...list.filter(isInView), ...list.filter((each) => !isInView(each))];
    const waveSize = largestWave();
    for (let from = 0; from < ordered.length; from += waveSize) {
      await mark(ordered.slice(from, from + waveSize), false);
    }
  }

  const largestWave = (): number =>
    Math.max(leastLargest, Math.floor(runCells.found().length * largestShare));

  function isReady(each: OpenCell): boolean {
    if (each.marks > 0 || each.refusal !== null || each.isRefreshed) return false;
    return (each.isReady ||= outcomes.isReady(each.cell));
  }

  async function askingStage(asking: Promise<unknown>): Promise<void> {
    while (mayMark()) {
      if (outcomes.stage() === "asking") await Promise.race([asking, stopped, pause(clock, lookEveryMs)]);
      const isLastLook = outcomes.stage() === "asked";
      await runCells.findAgainAfterEdits();
      const ready = runCells.open().filter(isReady);
      await markAll(ready.slice(0, largestWave()));
      if (isLastLook && ready.length <= largestWave()) return;
    }
  }

  async function perform(): Promise<RunEnd> {
    // Only with the run can its caller stop it.
    await Promise.resolve();
    await runCells.begin();
    const work = await outcomes.workOf(runCells.open().map(({ cell }) => cell));
    if (isStopped) return end();
    const asking = outcomes.ask(work, marks);
    try {
      // A refusal is known in the next turn. Marked cells would lose their numbers then.
      await nextTurn(clock);
      await askingStage(asking);
      outcomes.enterLastStage();
      await lastStage.perform();
      return await end();
    } finally {
      marks.end();
    }
  }

  async function end(): Promise<RunEnd> {
    const unrefreshed: { cell: RefreshCell; because: InvError }[] = [];
    const uncalled: UncalledCell[] = [];
    let refreshed = 0;
    // A cancel skips the last stage, which has read what the cells show.
    if (isStopped && outcomes.stage() !== "before") await lastStage.readUntilShown();
    const opened = new Map(runCells.open().map((each) => [each.cell, each]));
    await inTimeSlices(clock, runCells.found(), (cell) => {
      const verdict = verdicts.verdictOn(cell, opened.get(cell));
      if (verdict === "refreshed") refreshed += 1;
      else if (verdict === "uncalled") uncalled.push(verdicts.noteUncalled(cell, opened.get(cell)));
      else if (verdict !== "needs nothing") unrefreshed.push({ cell, because: verdict });
    });
    for (const cell of runCells.unfollowed()) unrefreshed.push({ cell, because: movedMeanwhile });
    const all = refreshed + unrefreshed.length + uncalled.length;
    return { refreshed, cells: all, unrefreshed, uncalled, editsSeen: runCells.editsSeen() };
  }

  return {
    end: perform(),
    isRequested: () => outcomes.stage() !== "before",
    stop() {
      isStopped = true;
      stop();
    },
  };
}
