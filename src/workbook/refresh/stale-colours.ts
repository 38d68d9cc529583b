/**
 * Colours stale cells where they are read: a conditional format on exactly these cells, which everybody sees who opens the
 * workbook. After each refresh the colours of answered cells go, whoever made them: the formats themselves are the only list.
 * A cell that this session hasn't calculated keeps its colour until a refresh answers it. Sheets without INV formulas, such as copies
 * with values, keep theirs.
 * Somebody may move cells at any time. The port changes nothing if the formulas aren't where they were found, and they are found again.
 * A sort leaves conditional formats where they are, so after such an edit this session colours again what it has coloured.
 */
import type { CellRegister } from "../../cells/cell-register";
import { keepsLastAnswer } from "../../cells/unanswered-items";
import { InvError } from "../../domain/errors";
import { createSource, type Source } from "../../domain/notices";
import type { Query } from "../../domain/records";
import { type Clock, pause, type TimerId } from "../../engine/clock";
import { cellsOf, contains } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import { inTimeSlices } from "../in-time-slices";
import type { Area, FormulaCell, Look, Workbook } from "../port";
import { addressesIn } from "../register-cells";
import { colourSetting } from "../settings";
import { invCellOf, type RefreshCell, type Scopes } from "./scopes";

/** Grey that is readable on white, on the templates' fills and, inverted, in dark. */
export const staleLook: Look = { formula: '="INV: stale"<>""', color: "#6b6b6b" };

export interface StaleColours {
  /** Colours all stale cells of the workbook. Returns their number, without those that it can't colour. */
  colour(): Promise<Coloured>;
  /** Call it after a refresh. */
  update(hasStale: boolean): Promise<Coloured>;
  /** Whether each refresh colours the cells that it leaves stale. The workbook contains this choice. */
  readonly always: Source<boolean>;
  setAlways(always: boolean): Promise<void>;
}

interface Coloured {
  readonly cells: number;
  /** Cells of protected sheets, and those in more areas than Excel handles well. */
  readonly others: number;
}

export interface StaleColoursOptions {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
  readonly scopes: Pick<Scopes, "findAgain">;
  /** Returns whether the latest refresh of this query wasn't answered. */
  isUnanswered(query: Query): boolean;
}

const mostAttempts = 4;
/** Edits come in bursts, and the host calculates moved cells again. */
const quietMs = 1_000;
/** Whether a waiting cell is stale is known soon. */
const mostWaits = 10;
/** Excel draws slowly with more conditional formats on a sheet. */
const mostAreas = 1_000;
/** Reading more formulas again costs more than it is worth: a moved cell moves its neighbours too. */
const mostCompared = 20_000;

export function createStaleColours(options: StaleColoursOptions): StaleColours {
  const { workbook, cells, clock, scopes, isUnanswered } = options;
  const always = createSource(false);
  let before: Promise<unknown> = Promise.resolve();
  /** Whether this session has coloured all stale cells, and some are left. */
  let isOn = false;
  let timer: TimerId = null;

  /** `unknown` means that this session can't tell, so that a colour stays. */
  function ageOf(cell: RefreshCell): "stale" | "answered" | "unknown" {
    const invCell = invCellOf(cells, cell);
    if (invCell === undefined) return cell.queries.some(isUnanswered) ? "stale" : "unknown";
    if (invCell.state === "waiting") return "unknown";
    return keepsLastAnswer(invCell) ? "stale" : "answered";
  }

  /** Runs one after the other, so that two don't add the same colours. */
  function apply(adds: boolean): Promise<Coloured> {
    if (adds) isOn = true;
    const own = before.then(() => applyNow(adds));
    before = own.then(
      ({ cells: coloured, others }) => (isOn &&= coloured + others > 0 || cells.summary().isCalculating),
      () => undefined,
    );
    return own;
  }

  async function applyNow(adds: boolean): Promise<Coloured> {
    let failure: unknown = new InvError(
      "internal",
      "The workbook changed while INV coloured cells. Try again.",
    );
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      // A format or a sheet that was found may be deleted a moment later.
      const end = await attemptNow(adds).catch((error: unknown) => void (failure = error));
      if (end) return end;
    }
    throw failure;
  }

  /** Returns null if somebody has moved cells meanwhile. */
  async function attemptNow(adds: boolean): Promise<Coloured | null> {
    // Most refreshes have nothing to colour, so look for colours before the workbook is searched.
    if (!adds && (await workbook.colouredAreas(staleLook)).length === 0) return { cells: 0, others: 0 };
    for (let waits = 0; cells.summary().isCalculating && waits < mostWaits; waits += 1) {
      await pause(clock, quietMs);
    }
    const { wanted, formulas } = await scopes.findAgain(null);
    const coloured = await workbook.colouredAreas(staleLook);
    const wantedOf = bySheet(wanted.map((cell) => ({ sheet: cell.ref.sheet, cell })));
    let [done, others, isMoved] = [0, 0, false];
    for (const [sheet, own] of bySheet(formulas.map(({ ref }) => ref))) {
      const end = await colourSheet(sheet, {
        wanted: (wantedOf.get(sheet) ?? []).map(({ cell }) => cell),
        formulas: own,
        coloured: coloured.filter((area) => area.sheet === sheet),
        adds,
      });
      isMoved ||= end === null;
      done += end?.cells ?? 0;
      others += end?.others ?? 0;
    }
    return isMoved ? null : { cells: done, others };
  }

  /** Returns null if somebody has moved cells meanwhile. */
  async function colourSheet(
    sheet: string,
    given: {
      readonly wanted: readonly RefreshCell[];
      /** All INV formulas of the sheet. */
      readonly formulas: readonly FormulaCell[];
      readonly coloured: readonly Area[];
      readonly adds: boolean;
    },
  ): Promise<Coloured | null> {
    const { wanted, formulas, coloured, adds } = given;
    const stale: RefreshCell[] = [];
    await inTimeSlices(clock, wanted, (cell) => {
      const age = ageOf(cell);
      const isColoured = (): boolean => coloured.some((area) => contains(area, cell.ref));
      if ((age === "stale" && adds) || (age !== "answered" && isColoured())) stale.push(cell);
    });
    if (stale.length + coloured.length === 0) return { cells: 0, others: 0 };
    const extents = await workbook.extents(stale.map((cell) => cell.ref));
    const areas = mergeCells(extents.flatMap(cellsOf));
    const every = Math.ceil(formulas.length / mostCompared);
    const compared = formulas.filter((_, index) => index % every === 0);
    const kept = areas.slice(0, mostAreas);
    try {
      if (!(await workbook.setColours(staleLook, { sheet, areas: kept, formulas: compared }))) return null;
    } catch (error) {
      const { isProtected } = (await workbook.sheets()).find(({ name }) => name === sheet) ?? {};
      if (isProtected !== true) throw error;
      return { cells: 0, others: stale.length };
    }
    const cellsIn = stale.filter((cell) => kept.some((area) => contains(area, cell.ref))).length;
    return { cells: cellsIn, others: stale.length - cellsIn };
  }

  function colourAgain(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => {
      if (cells.summary().isCalculating) colourAgain();
      else if (isOn) void apply(true).catch(() => undefined);
    }, quietMs);
  }

  workbook.onEdit((edit) => {
    if (!isOn || (edit !== null && ("from" in edit || "added" in edit))) return;
    const isLarge = edit === null || edit.some(({ rows, cols }) => rows * cols > 1);
    if (isLarge || !addressesIn(cells, edit)[Symbol.iterator]().next().done) colourAgain();
  });
  void workbook.setting(colourSetting).then(
    (value) => always.set(value === "always"),
    () => undefined,
  );

  return {
    colour: () => apply(true),
    update: (hasStale) => apply(always.get() && hasStale),
    always,
    async setAlways(isOn) {
      await workbook.setSetting(colourSetting, isOn ? "always" : "");
      always.set(isOn);
      if (isOn) await apply(true);
    },
  };
}
