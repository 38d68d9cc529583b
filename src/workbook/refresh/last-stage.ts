/**
 * The last stage of a refresh, when all that could be asked for is answered. It reads what the cells show, and marks once more those that
 * Excel didn't call or that show something else; and cells whose queries nobody knows, one first.
 */
import { queriesOf } from "../../cells/cell-record";
import type { InvError } from "../../domain/errors";
import { pause } from "../../engine/clock";
import { type Marks, type OpenCell, showsWithinMs } from "./marks";
import type { Outcomes } from "./outcomes";
import type { RunCells } from "./run-cells";
import { invCellOf, placeOf, type RefreshContext } from "./scopes";
import { readShown } from "./shown";
import type { Verdicts } from "./verdicts";

const lookEveryMs = 1_000;
/** So many cells whose queries nobody knows are marked at once: a cancel can't give them back what the file has. */
const mostUnknown = 50;
/** How many of them may show, one by one, whether the service answers. */
const mostProbes = 3;
/** How often cells are found again in the end because somebody keeps editing. */
const mostSearches = 3;
const mostRead = 50_000;

export function createLastStage(
  { workbook, engine, cells, clock }: Pick<RefreshContext, "workbook" | "engine" | "cells" | "clock">,
  run: {
    readonly runCells: RunCells;
    readonly outcomes: Outcomes;
    readonly marks: Marks;
    readonly verdicts: Verdicts;
    /** Resolves when the refresh is cancelled. */
    readonly stopped: Promise<void>;
    mayMark(): boolean;
    /** Marks these cells in one wave. Their requests are sent even after a cancel if it `asksAnyway`. */
    mark(wave: readonly OpenCell[], asksAnyway: boolean): Promise<void>;
    markAll(list: readonly OpenCell[]): Promise<void>;
  },
) {
  const { runCells, outcomes, marks, verdicts, stopped, mayMark } = run;
  /** Why cells whose queries nobody knows stay as they are: one of them wasn't answered. */
  let unknownBecause: InvError | null = null;

  const isUnknown = ({ cell }: OpenCell): boolean =>
    cell.unpredictable > 0 && invCellOf(cells, cell) === undefined;

  /**
   * Reads what marked and calculated cells show, and those whose IF may skip INV, until they show what INV returned. After a cancel it reads
   * them once.
   */
  async function readUntilShown(): Promise<void> {
    const untilMs = clock.steadyNow() + showsWithinMs;
    const hasSomething = (each: OpenCell): boolean =>
      each.marks > 0 || each.cell.isChoosing || marks.isCalled(each);
    let toRead = runCells.open().filter(hasSomething).slice(0, mostRead);
    while (toRead.length > 0) {
      const places = toRead.map(({ cell }) => placeOf(cell));
      const shown = await readShown({ workbook, clock }, places);
      for (const [index, each] of toRead.entries()) each.shown = shown[index];
      if (!mayMark() || runCells.isEdited() || clock.steadyNow() >= untilMs) return;
      toRead = toRead.filter(verdicts.isOther);
      if (toRead.length > 0) await Promise.race([stopped, pause(clock, lookEveryMs)]);
    }
  }

  /**
   * Marks cells whose queries nobody knows, and that show values of the file. If there is no answer, these are lost: so one cell tries
   * first, and the others stay as they are if it isn't answered.
   */
  async function markUnknown(unknown: readonly OpenCell[]): Promise<void> {
    const [fault] = engine.progress().faults;
    unknownBecause ??= fault?.error ?? outcomes.outage();
    for (
      let probes = 0, from = 0, isProved = false;
      mayMark() && unknownBecause === null && from < unknown.length;
    ) {
      const isProbe = !isProved && probes < mostProbes;
      const wave = unknown.slice(from, from + (isProbe ? 1 : mostUnknown));
      await run.mark(wave, true);
      from += wave.length;
      probes += 1;
      for (const each of wave) {
        const invCell = marks.isCalled(each) ? invCellOf(cells, each.cell) : undefined;
        if (invCell === undefined) continue;
        if (invCell.isUnanswered) unknownBecause = cells.unansweredBecause(invCell);
        // An answer that was there already proves nothing about the service.
        isProved ||= queriesOf(invCell).some((query) => !outcomes.hasAsked(query));
      }
    }
    if (unknownBecause === null) return;
    for (const each of unknown) if (!marks.isCalled(each)) each.refusal ??= unknownBecause;
  }

  return {
    readUntilShown,
    async perform(): Promise<void> {
      for (let searches = 0; mayMark();) {
        if (searches < mostSearches && (await runCells.findAgainAfterEdits())) searches += 1;
        await readUntilShown();
        const unsure = runCells.open().filter(verdicts.isUnsure);
        if (unsure.length === 0) return;
        const waves = marks.waves();
        await markUnknown(unsure.filter(isUnknown));
        await run.markAll(unsure.filter((each) => !isUnknown(each) && verdicts.isUnsure(each)));
        // Another look would find the same.
        if (marks.waves() === waves) return;
      }
    },
  };
}
