/** A list in a column of a sheet, with a name that grows, as "Use this column as a list" makes it. */
import { listFormula } from "../../../src/workbook/lists/list-formula";
import type { CellRef, CellValue } from "../../../src/workbook/port";
import type { MemoryWorkbook } from "../memory-workbook";

export async function addList(
  workbook: MemoryWorkbook,
  { name, entries, heading }: { name: string; entries: readonly CellValue[]; heading: CellRef },
): Promise<void> {
  [name, ...entries].forEach((value, down) => workbook.put({ ...heading, row: heading.row + down }, value));
  await workbook.addName(name, listFormula(heading));
}
