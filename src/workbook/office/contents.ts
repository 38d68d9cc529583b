/**
 * Reads cell values with their kind from Excel. In `values`, an error is text in the language of that Excel (`#NV`), so INV
 * reads the cells' types too. If an error isn't in English, INV reads its kind once (ExcelApi 1.16) and remembers it.
 */
import { cellKey } from "../addresses";
import { mergeCells, visitCells } from "../cell-areas";
import { errorNamed, isError, isErrorName } from "../cell-content";
import { type Property, readBlocks } from "./read";
import type { ExcelBatches } from "./excel-batches";
import type { Area, CellContent, CellRef } from "../port";

export interface OfficeContents {
  contentsOf(areas: readonly Area[]): Promise<CellContent[][][]>;
  /** Converts a cell's value and type. It translates errors by the names learned so far. */
  contentOf(value: unknown, type: unknown): CellContent;
  /** Whether INV knows which error the cell shows. Always true for other contents. */
  isNamed(content: CellContent): boolean;
  /** Learns the English names of the errors in these cells, keyed by their spelling. */
  learn(context: Excel.RequestContext, unknown: ReadonlyMap<string, CellRef>): Promise<void>;
}

/** @param foreign English names of this Excel's errors, for an Excel in another language; reading adds to it */
export function createOfficeContents(batches: ExcelBatches, foreign: Map<string, string>): OfficeContents {
  const contentsOf = (areas: readonly Area[]): Promise<CellContent[][][]> =>
    batches.run(async (context) => {
      const unknown = new Map<string, CellRef>();
      const cells = rowsOf(areas);
      const request = {
        blocks: areas,
        property: "values",
        also: ["valueTypes"],
      } as const;
      await readBlocks(context, request, (part, values, [types = []]) => {
        for (const [r, line] of values.entries()) {
          const kinds = types[r] ?? [];
          cells.add(line.map((value, c) => toContent(value, kinds[c])));
          for (const [c, value] of line.entries()) {
            if (kinds[c] !== "Error" || isErrorName(value) || foreign.has(String(value))) continue;
            unknown.set(String(value), { sheet: part.sheet, row: part.row + r, col: part.col + c });
          }
        }
      });
      await learn(context, unknown);
      return foreign.size === 0 ? cells.found : cells.found.map((rows) => rows.map((row) => row.map(named)));
    });

  return {
    contentsOf,
    learn,
    contentOf: (value, type) => named(toContent(value, type)),
    isNamed: (content) => !isError(content) || isErrorName(content.error) || foreign.has(content.error),
  };

  async function learn(
    context: Excel.RequestContext,
    spellings: ReadonlyMap<string, CellRef>,
  ): Promise<void> {
    if (spellings.size === 0 || !batches.supports("1.16")) return;
    const kinds = await askCells(context, [...spellings.values()], "valuesAsJson");
    for (const [spelling, ref] of spellings) {
      const kind = kindOf(kinds.get(ref));
      // An error that INV has no name for keeps its spelling.
      if (kind !== undefined) foreign.set(spelling, errorNamed(kind) ?? spelling);
    }
  }

  function named(content: CellContent): CellContent {
    if (typeof content !== "object" || content === null) return content;
    const name = foreign.get(content.error);
    return name === undefined ? content : { error: name };
  }
}

function rowsOf(areas: readonly Area[]): {
  readonly found: CellContent[][][];
  add(row: CellContent[]): void;
} {
  const found = areas.map((): CellContent[][] => []);
  let at = 0;
  return {
    found,
    add(row) {
      while (at < areas.length && found[at]?.length === areas[at]?.rows) at += 1;
      found[at]?.push(row);
    },
  };
}

/** Returns null for an empty cell, which reads as "" in Excel, like a formula that returns "". */
function toContent(cell: unknown, type: unknown): CellContent {
  if (type === "Error") return { error: String(cell) };
  if (cell === "") return null;
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? cell : null;
}

function kindOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const kind: unknown = Reflect.get(json, "errorType");
  return typeof kind === "string" ? kind : undefined;
}

export async function officeNumberFormats(
  batches: ExcelBatches,
  cells: readonly CellRef[],
): Promise<readonly string[]> {
  const cellFormats = await batches.run((context) => askCells(context, cells, "numberFormat"));
  return cells.map((ref) => {
    const format = cellFormats.get(ref);
    return typeof format === "string" ? format : "General";
  });
}

/**
 * Reads the number formats that come with values. Such a format belongs to the value, not to the cell: `Range.numberFormat`
 * contains only the cell's, `valuesAsJson` (ExcelApi 1.16) the value's. If both exist, Excel shows the cell's (documented for
 * DoubleCellValue; office-js 6100 says to read both).
 */
export async function broughtOfficeFormats(
  batches: ExcelBatches,
  cells: readonly CellRef[],
): Promise<readonly (string | null)[]> {
  if (!batches.supports("1.16")) return cells.map(() => null);
  return batches.run(async (context) => {
    const cellFormats = await askCells(context, cells, "numberFormat");
    const plain = cells.filter((ref) => cellFormats.get(ref) === "General");
    const values: CellAnswers = await askCells(context, plain, "valuesAsJson");
    return cells.map((ref) => formatOf(values.get(ref)));
  });
}

function formatOf(json: unknown): string | null {
  if (typeof json !== "object" || json === null) return null;
  const format: unknown = Reflect.get(json, "numberFormat");
  return typeof format === "string" && format !== "" && format !== "General" ? format : null;
}

/** Answers keyed by the cell objects that the caller passed. */
type CellAnswers = ReadonlyMap<CellRef, unknown>;

/** Reads a property of single cells, in few blocks. */
async function askCells(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
  property: Property,
): Promise<CellAnswers> {
  const refsByKey = new Map(cells.map((ref) => [cellKey(ref), ref]));
  const answers = new Map<CellRef, unknown>();
  await readBlocks(context, { blocks: mergeCells(cells), property }, (part, found) => {
    visitCells(part, found, (answer, at) => {
      const ref = refsByKey.get(cellKey(at));
      if (ref) answers.set(ref, answer);
    });
  });
  return answers;
}
