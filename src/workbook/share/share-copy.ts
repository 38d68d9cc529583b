/**
 * Makes a copy for people without INV: a new sheet of values, with the environment and the age of the values written above
 * them. The original stays unchanged.
 */
import { InvError } from "../../domain/errors";
import type { Area, Workbook } from "../port";
import { broughtFormats, formattedCells, setFormats } from "../brought-formats";
import { refuseIfChanged } from "../selected-areas";
import { pendingIn, stillFetching, stillWaiting } from "../still-waiting";
import { styles } from "../templates/styles";

export interface CopyFacts {
  readonly environment: string;
  /** Fetch time of the oldest value; null if unknown. */
  readonly oldestMs: number | null;
  readonly nowMs: number;
  readonly waiting: number;
}

const headRows = 3;
const mostCells = 400_000;
const rowsAtOnce = 5_000;

/** Resolves with the new sheet's name. Rejects while cells wait, because what they show then is not a value. */
export async function shareCopy(workbook: Workbook, sheet: string, facts: CopyFacts): Promise<string> {
  if (facts.waiting > 0) throw stillFetching("copy");
  const area = await workbook.usedArea(sheet);
  if (area === null) throw nothingThere(sheet);
  if (area.rows * area.cols > mostCells) throw tooLarge(sheet);
  return workbook.step(async (workbook) => {
    const copy = await workbook.addSheet(`${sheet} values`.slice(0, 31));
    try {
      await fill(workbook, { area, copy }, [headline(sheet, facts), ages(facts)]);
      await refuseIfChanged(workbook, area);
    } catch (error) {
      // A person would take a partial copy for the whole.
      await workbook.deleteSheet(copy);
      throw error;
    }
    await workbook.select({ sheet: copy, row: 0, col: 0, rows: 1, cols: 1 });
    return copy;
  });
}

async function fill(
  workbook: Workbook,
  { area, copy }: { readonly area: Area; readonly copy: string },
  head: readonly string[],
): Promise<void> {
  await workbook.copyFormats(area, { sheet: copy, rowsAbove: headRows });
  const [widths = []] = await workbook.formatsOf({ ...area, rows: 1 });
  for (const [col, { widthPx }] of widths.entries()) {
    if (widthPx !== undefined) {
      await workbook.format({ sheet: copy, row: 0, col, rows: 1, cols: 1 }, { widthPx });
    }
  }
  const top = { sheet: copy, row: 0, col: 0, rows: head.length, cols: 1 };
  await workbook.format(top, { ...styles.note, align: "left" });
  await workbook.writeText(
    top,
    head.map((line) => [line]),
  );
  for (let row = 0; row < area.rows; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, area.rows - row);
    const values = await workbook.contents({ ...area, row, rows });
    const waiting = pendingIn(values);
    if (waiting > 0) throw stillWaiting(waiting, "copy");
    await workbook.writeText({ ...area, sheet: copy, row: row + headRows, rows }, values);
    const formats = await broughtFormats(workbook, [{ area: { ...area, row, rows }, cells: values }]);
    const there = formattedCells({ ...area, row, rows }, formats);
    await setFormats(
      workbook,
      there.map(({ ref, numberFormat }) => ({
        ref: { ...ref, sheet: copy, row: ref.row + headRows },
        numberFormat,
      })),
    );
  }
}

function headline(sheet: string, { environment, nowMs }: CopyFacts): string {
  return `Values of "${sheet}", copied ${utc(nowMs)} UTC. Environment: ${environment === "" ? "none" : environment}.`;
}

function ages({ oldestMs }: CopyFacts): string {
  return oldestMs === null
    ? "When the values were fetched is not known."
    : `The oldest value was fetched ${utc(oldestMs)} UTC.`;
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
