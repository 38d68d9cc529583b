/**
 * A copy for people without INV: a new sheet of values, with the environment and the age of the values
 * written above them. The original stays as it is.
 */
import { InvError } from "../../domain/errors";
import type { Workbook } from "../port";
import { looks } from "../templates/looks";
import { lookRuns } from "./copy-looks";

export interface CopyFacts {
  readonly environment: string;
  /** The oldest value's; null where none is known. */
  readonly oldestMs: number | null;
  readonly nowMs: number;
}

const headRows = 3;
const mostCells = 400_000;
const rowsAtOnce = 5_000;

/** Resolves with the new sheet's name. */
export async function shareCopy(workbook: Workbook, sheet: string, facts: CopyFacts): Promise<string> {
  const area = await workbook.usedArea(sheet);
  if (area === null) throw nothingThere(sheet);
  if (area.rows * area.cols > mostCells) throw tooLarge(sheet);
  return workbook.step(async () => {
    const copy = await workbook.addSheet(`${sheet} values`.slice(0, 31), { frozenRows: headRows });
    const { runs, widthsPx } = await lookRuns(workbook, area);
    for (const [col, widthPx] of widthsPx.entries()) {
      if (widthPx > 0) await workbook.format({ sheet: copy, row: 0, col, rows: 1, cols: 1 }, { widthPx });
    }
    for (const { area: run, format } of runs) {
      await workbook.format({ ...run, sheet: copy, row: run.row + headRows }, format);
    }
    await workbook.format(
      { sheet: copy, row: 0, col: 0, rows: 2, cols: 1 },
      { ...looks.note, align: "left" },
    );
    await workbook.writeText({ sheet: copy, row: 0, col: 0, rows: 2, cols: 1 }, [
      [headline(sheet, facts)],
      [ages(facts)],
    ]);
    for (let row = 0; row < area.rows; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, area.rows - row);
      const values = await workbook.read({ ...area, row, rows }, "values");
      await workbook.writeText({ ...area, sheet: copy, row: row + headRows, rows }, values);
    }
    await workbook.select({ sheet: copy, row: 0, col: 0, rows: 1, cols: 1 });
    return copy;
  });
}

function headline(sheet: string, { environment, nowMs }: CopyFacts): string {
  return `Values of "${sheet}", copied ${utc(nowMs)} UTC. Environment: ${environment === "" ? "none" : environment}.`;
}

function ages({ oldestMs }: CopyFacts): string {
  return oldestMs === null
    ? "When the values were fetched is not known."
    : `The oldest value was fetched ${utc(oldestMs)} UTC. Nothing here refreshes.`;
}

function utc(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16).replace("T", " ");
}

function nothingThere(sheet: string): InvError {
  return new InvError("bad-argument", `The sheet "${sheet}" is empty, so there is nothing to copy.`);
}

function tooLarge(sheet: string): InvError {
  return new InvError(
    "bad-argument",
    `The sheet "${sheet}" is too large to copy (more than ${mostCells} cells).`,
  );
}
