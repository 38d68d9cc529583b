/**
 * Cell values with their kind in Excel. `values` spells an error as a text, and in the language of that
 * Excel it may be (`#NV`), so the type of such a cell is asked for, and of an error whose spelling is not English
 * its kind (ExcelApi 1.16). Cells without a `#` cost no question more than their values.
 */
import { errorNamed, isErrorName, withoutKind } from "../cell-content";
import { askCells, type CellAnswers } from "./ask-cells";
import { readBlocks } from "./read";
import type { OfficeSession } from "./session";
import type { Area, CellContent, CellRef, CellValue } from "../port";

export async function officeContents(session: OfficeSession, area: Area): Promise<CellContent[][]> {
  return session.run(async (context) => {
    const rows: CellContent[][] = [];
    await readBlocks(context, { blocks: [area], property: "values" }, (_part, cells) => {
      for (const line of cells) rows.push(line.map(toContent));
    });
    const at = ({ row, col }: CellRef): CellContent => rows[row - area.row]?.[col - area.col] ?? null;

    const suspects = rows.flatMap((line, r) =>
      line.flatMap((content, c): CellRef[] =>
        mayBeError(content) ? [{ sheet: area.sheet, row: area.row + r, col: area.col + c }] : [],
      ),
    );
    if (suspects.length === 0) return rows;
    const types = await askCells(context, suspects, "valueTypes");
    const errors = suspects.filter((ref) => types.get(ref) === "Error");
    const foreign = errors.filter((ref) => !isErrorName(at(ref)));
    const kinds: CellAnswers = session.supports("1.16")
      ? await askCells(context, foreign, "valuesAsJson")
      : new Map();
    for (const ref of errors) {
      const line = rows[ref.row - area.row];
      if (line) line[ref.col - area.col] = { error: kindOf(kinds.get(ref)) ?? String(withoutKind(at(ref))) };
    }
    return rows;
  });
}

/** An empty cell reads as "" in Excel, like a formula that gives "". */
function toContent(cell: unknown): CellValue {
  if (cell === "") return null;
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? cell : null;
}

function mayBeError(content: CellContent): boolean {
  return typeof content === "string" && content.startsWith("#");
}

function kindOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const kind: unknown = Reflect.get(json, "errorType");
  return typeof kind === "string" ? errorNamed(kind) : undefined;
}
