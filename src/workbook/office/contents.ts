/**
 * Cell values with their kind in Excel. `values` spells an error as a text, and in the language of that
 * Excel it may be (`#NV`), so the types of the cells come with their values. A spelling that is not English is asked
 * for its kind once (ExcelApi 1.16), at the first cell that shows it, and remembered.
 */
import { errorNamed, isErrorName } from "../cell-content";
import { askCells } from "./ask-cells";
import { readBlocks } from "./read";
import type { OfficeSession } from "./session";
import type { Area, CellContent, CellRef } from "../port";

/** With the types, and what is not ASCII, an answer stays below 2 MB. */
const charactersPerAnswer = 1_000_000;

export interface OfficeContents {
  /** As the port has it. */
  contentsOf(areas: readonly Area[]): Promise<CellContent[][][]>;
  /** What Excel's value and type of a cell stand for, errors by the names learned so far. */
  contentOf(value: unknown, type: unknown): CellContent;
  /** Learns the names of the errors in these cells, by their spelling. */
  learn(context: Excel.RequestContext, unknown: ReadonlyMap<string, CellRef>): Promise<void>;
}

export function createOfficeContents(session: OfficeSession): OfficeContents {
  /** What errors are called here, by their spelling: of the English ones that differ from themselves, none. */
  const foreign = new Map<string, string>();

  const contentsOf = (areas: readonly Area[]): Promise<CellContent[][][]> =>
    session.run(async (context) => {
      const unknown = new Map<string, CellRef>();
      const cells = rowsOf(areas);
      const request = {
        blocks: areas,
        property: "values",
        also: ["valueTypes"],
        charactersPerAnswer,
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

  return { contentsOf, contentOf: (value, type) => named(toContent(value, type)), learn };

  async function learn(
    context: Excel.RequestContext,
    spellings: ReadonlyMap<string, CellRef>,
  ): Promise<void> {
    if (spellings.size === 0 || !session.supports("1.16")) return;
    const kinds = await askCells(context, [...spellings.values()], "valuesAsJson");
    for (const [spelling, ref] of spellings) {
      const name = kindOf(kinds.get(ref));
      if (name !== undefined) foreign.set(spelling, name);
    }
  }

  function named(content: CellContent): CellContent {
    if (typeof content !== "object" || content === null) return content;
    const name = foreign.get(content.error);
    return name === undefined ? content : { error: name };
  }
}

/** Takes rows as they come, and puts them together by area. */
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

/** An empty cell reads as "" in Excel, like a formula that gives "". */
function toContent(cell: unknown, type: unknown): CellContent {
  if (type === "Error") return { error: String(cell) };
  if (cell === "") return null;
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? cell : null;
}

function kindOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const kind: unknown = Reflect.get(json, "errorType");
  return typeof kind === "string" ? errorNamed(kind) : undefined;
}
