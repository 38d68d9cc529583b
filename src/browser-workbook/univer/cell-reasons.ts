/**
 * Describes what a cell shows, because the grid's canvas can't: the reason for an error, in the grid's tooltip and as
 * text, and the selected cell for screen readers.
 * The reason comes from the check of formulas or from the function's own error. A spilled cell gets it from the cell of its
 * formula.
 */
import type { Dependency } from "@univerjs/core";
import { CellAlertManagerService, type FWorksheet, type ICellAlert } from "@univerjs/preset-sheets-core";
import { counted } from "../../domain/number-words";
import { columnName } from "../../formula/columns";
import type { CellCalls } from "../functions/cell-calls";
import type { CellPlace } from "../functions/cell-values";
import type { EngineCalculation } from "./calculation/engine-calculation";
import { createFormulaProblems } from "./calculation/formula-problems";
import { createCellReader } from "./cell-reader";
import type { Grid } from "./grid";
import { selectionOf } from "./grid-selection";

const circularReason =
  "Circular reference: this formula refers to its own cell or to one that it fills, directly or through other cells, or to a formula that does.";

const lostCellsReason =
  "The cells or the name that this formula referred to were deleted. Write the reference again where it says #REF!.";
/** Outside texts. */
const lostCells = /^(?:[^"]|"[^"]*")*?#REF!/;

const formulaAlert = "SHEET_FORMULA_ALERT";

interface Reason {
  readonly error: string;
  readonly reason: string;
}

/** The tooltips at cells. The grid's own say a general sentence for each kind of error. */
class ReasonAlerts extends CellAlertManagerService {
  reasonAt: (place: CellPlace) => Reason | null = () => null;

  override showAlert(alert: ICellAlert): void {
    const { subUnitId: sheetId, row, col } = alert.location;
    const found = alert.key === formulaAlert ? this.reasonAt({ sheetId, row, col }) : null;
    super.showAlert(found === null ? alert : { ...alert, title: found.error, message: found.reason });
  }
}

/** For the configuration of the grid's sheets. */
export const reasonAlerts: Dependency = [CellAlertManagerService, { useClass: ReasonAlerts }];

export function createCellReasons(
  grid: Grid,
  explain: CellCalls["explain"],
  { blocked, isCircular }: Pick<EngineCalculation, "blocked" | "isCircular">,
) {
  const reader = createCellReader(grid);
  const problemOf = createFormulaProblems(grid);

  function reasonAt(place: CellPlace): Reason | null {
    const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(place.sheetId);
    if (!sheet) return null;
    const [error] = reader.values(sheet, { ...place, rows: 1, cols: 1 }).flat();
    if (typeof error !== "string" || !error.startsWith("#")) return null;
    const origin = reader.spillOrigin(place.sheetId, place.row, place.col) ?? place;
    const offset = { row: place.row - origin.row, col: place.col - origin.col };
    const at = { sheetId: place.sheetId, row: origin.row, col: origin.col };
    const reason =
      refusal(sheet, at, error) ??
      (error === "#REF!" && lostCells.test(formulaAt(sheet, at)) ? lostCellsReason : null) ??
      (isCircular(at) ? circularReason : null) ??
      explain(at, error, offset) ??
      (error === "#SPILL!" ? spillReason(sheet, at) : null);
    return reason === null ? null : { error, reason };
  }

  function formulaAt(sheet: FWorksheet, { row, col }: CellPlace): string {
    const [formula] = reader.formulas(sheet, { row, col, rows: 1, cols: 1 }).flat();
    return typeof formula === "string" && formula.startsWith("=") ? formula : "";
  }

  /** Why the grid doesn't calculate the formula. */
  function refusal(sheet: FWorksheet, at: CellPlace, error: string): string | null {
    const formula = formulaAt(sheet, at);
    const problem = formula === "" ? null : problemOf(formula, at.sheetId);
    return problem?.error === error ? problem.reason : null;
  }

  /** Names the first blocking cell, row by row. */
  function spillReason(sheet: FWorksheet, { sheetId, row, col }: CellPlace): string | null {
    const target = blocked.at(sheetId, row, col);
    if (target === null) return null;
    const [rows, cols] = [target.endRow - row + 1, target.endColumn - col + 1];
    const needs = `The result needs ${counted(rows, "row")} and ${counted(cols, "column")}`;
    for (let down = 0; down < rows; down += 1) {
      const line = reader.formulas(sheet, { row: row + down, col, rows: 1, cols })[0] ?? [];
      const right = line.findIndex((content, at) => (down > 0 || at > 0) && (content ?? "") !== "");
      if (right === -1) continue;
      return `${needs}, and ${columnName(col + right)}${row + down + 1} is in the way. Clear that cell or move it.`;
    }
    return `${needs}, more than the sheet has from here.`;
  }

  const alerts = grid.injector.get(CellAlertManagerService);
  if (!(alerts instanceof ReasonAlerts)) throw new Error("The grid's tooltips are not INV's own.");
  alerts.reasonAt = reasonAt;

  return {
    /** The error and its reason in the selected cell; null if it shows no error, or the reason is unknown. */
    ofSelection(): string | null {
      const { sheet, active } = selectionOf(grid);
      const found = reasonAt({ sheetId: sheet.getSheetId(), row: active.row, col: active.col });
      return found === null ? null : `${found.error} ${found.reason}`;
    },
    /** The selected cell and its text, `C2: 47`. For several cells, the first one and the range's last address. */
    spokenSelection(): string {
      const { sheet, active } = selectionOf(grid);
      const { row, col, rows, cols } = active;
      const text = reader.text(sheet, { row, col, rows: 1, cols: 1 }).flat()[0] ?? "";
      const reach = rows === 1 && cols === 1 ? "" : ` to ${columnName(col + cols - 1)}${row + rows}`;
      return `${columnName(col)}${row + 1}${reach}: ${text === "" ? "blank" : text}`;
    },
  };
}
