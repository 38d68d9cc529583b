/** Makes the ledger's entries for formulas that are about to be frozen. */
import type { CellRegister } from "../../cells/cell-register";
import { argumentTexts, callsIn, invFunctionNamed } from "../../formula/calls";
import { toR1C1 } from "../../formula/references";
import { tokensOf } from "../../formula/tokens";
import { areaAddress, cellAddresses, cellKey, cellsOf } from "../addresses";
import { withoutKind } from "../cell-content";
import type { Area, CellContent, CellValue, FormulaCell, Workbook } from "../port";
import { digest } from "./digest";
import type { LedgerEntry } from "./entry";
import { cellIn, headsOf, type Surroundings } from "./reference-reader";
import type { FormulaArea } from "./block-batches";

export interface Candidate {
  readonly formula: FormulaCell;
  readonly area: Area;
  readonly cells: readonly (readonly CellContent[])[];
  readonly refersTo: string;
  readonly contents: ReadonlyMap<string, CellValue>;
  /** The formula in its named block; null in a copy of the workbook, which has no names. */
  readonly named: FormulaArea | null;
}

export interface DescribeTools {
  readonly workbook: Workbook;
  readonly register: Pick<CellRegister, "get">;
  environmentId(): string | null;
  nowMs(): number;
}

interface Described {
  readonly candidates: readonly Candidate[];
  readonly around: Surroundings;
  readonly as: "values" | "blank";
  readonly formats: ReadonlyMap<string, string>;
}

export async function describe(
  { workbook, register, environmentId, nowMs }: DescribeTools,
  { candidates, around, as, formats }: Described,
): Promise<LedgerEntry[]> {
  const ids = new Map(around.sheets.map(({ name, id }) => [name, id]));
  const formulas = candidates.map(({ formula }) => formula);
  const heads = await headsOf(workbook, formulas, around);
  const writtenAt = new Date(nowMs()).toISOString();
  return candidates.map((candidate, index): LedgerEntry => {
    const { formula: cell, area, cells, refersTo, named } = candidate;
    const { formula, ...ref } = cell;
    const [bare, quoted] = cellAddresses(ref);
    const invCell = register.get(bare) ?? register.get(quoted);
    const oldestMs = invCell?.oldestMs ?? null;
    const [store, item] = subjectOf(candidate, around);
    return {
      ...{ ref: { sheet: ref.sheet, row: ref.row, col: ref.col }, sheetId: ids.get(ref.sheet) ?? "" },
      ...{ formula, r1c1: toR1C1(formula, ref), rows: area.rows, cols: area.cols, store, item },
      digest: digest(as === "values" ? cells : cells.map((row) => row.map(() => null))),
      shown: as === "values" ? String(withoutKind(cells[0]?.[0] ?? null) ?? "") : "",
      asOf: oldestMs === null ? "" : new Date(oldestMs).toISOString(),
      environmentId: invCell?.environmentId ?? environmentId() ?? "",
      anchor: named?.anchor.name ?? "",
      block: named === null ? "" : areaAddress(named.block),
      ...{ refersTo, writtenAt, head: heads[index] ?? "" },
      numberFormat: cellsOf(area).flatMap((each) => formats.get(cellKey(each)) ?? [])[0] ?? "",
    };
  });
}

/**
 * Returns store and item of the first INV call, for people to read: the contents of the referenced cells, or else the text of
 * the arguments.
 */
function subjectOf({ formula: cell, contents }: Candidate, { tables }: Surroundings): [string, string] {
  const tokens = tokensOf(cell.formula);
  const [first] = callsIn(tokens)
    .filter(({ name }) => invFunctionNamed(name) !== null)
    .sort((a, b) => a.nameIndex - b.nameIndex);
  if (first === undefined) return [cell.formula, ""];
  const [store = "", item = ""] = argumentTexts(tokens, first).map((text) => {
    const ref = cellIn(text, cell, tables);
    return ref === null ? text : String(contents.get(cellKey(ref)) ?? "");
  });
  return [store, item];
}
