/**
 * Every way in which INV writes into cells of others, while somebody types, inserts, deletes and sorts between every two round trips,
 * over Microsoft's runtime. Afterwards each typed number is in its row, or INV has returned it. What INV wrote fits the row in which it is.
 */
import { columnName } from "../../../src/formula/columns";
import { correct } from "../../../src/workbook/corrections";
import { enterAgain } from "../../../src/workbook/inspect/name-errors";
import { putFormula } from "../../../src/workbook/insert/put";
import type { FoundContent, Workbook } from "../../../src/workbook/port";
import { beforeTrips, type NodeExcel } from "../../excel/excel-in-node";
import { moveLines } from "../../excel/move-lines";
import { sortRows } from "../../excel/person";
import { type Cell, enter, type HostSheet } from "../../excel/sheet";
import { fc, slowRuns } from "../../helpers/properties";
import { area, openWorkbook } from "./office-stage";

const rows = 6;
const cols = 5;
const firstTyped = 700_000;

/** Stores (one for each row), items, a blank column, and formulas that Excel read before it knew INV. */
function plan() {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (const [col, head] of ["Store", "Item", "Shelf", "Backroom"].entries()) enter(sheet, 0, col, head);
  for (let row = 1; row <= rows; row += 1) {
    enter(sheet, row, 0, 1000 + row);
    enter(sheet, row, 1, `wrong ${row}`);
    enter(sheet, row, 3, formulaIn(row, 3));
    sheet.unrecognized.add(`D${row + 1}`);
  }
  excel.moveSelection("Plan", { row: 1, col: 1, rows: 1, cols: 1 });
  return { excel, workbook, sheet };
}

/** Two rows have the same correct item, so that a row can't be told by it. */
const correctItem = (store: number): string => `item ${store % 2}`;

function formulaIn(row: number, col: number): string {
  return `=INV.QTY(A${row + 1},B${row + 1}${col === 3 ? ',"BACKROOM"' : ""})`;
}

type Edit =
  | { readonly kind: "type"; readonly row: number; readonly col: number }
  | { readonly kind: "insert" | "delete"; readonly row: number }
  | { readonly kind: "sort" | "nothing" };

const anyRow = fc.integer({ min: 0, max: rows });
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("type" as const),
      row: anyRow,
      col: fc.integer({ min: 1, max: cols - 1 }),
    }),
  },
  fc.record({ kind: fc.constantFrom("insert" as const, "delete" as const), row: anyRow }),
  fc.constantFrom<Edit>({ kind: "sort" }, { kind: "nothing" }),
);

/** The store of a typed number's row, and its column. */
type Typed = Map<number, { readonly store: number; readonly col: number }>;

const storeIn = (sheet: HostSheet, row: number): number => Number(sheet.cells.get(row)?.get(0) ?? NaN);

function edit(
  { excel, sheet }: { readonly excel: NodeExcel; readonly sheet: HostSheet },
  change: Edit,
  typed: Typed,
): void {
  if (change.kind === "sort") sortRows(sheet, { from: 1, to: Math.max(...sheet.cells.keys()), cols });
  if (change.kind === "insert" || change.kind === "delete") {
    const by = change.kind === "insert" ? 1 : -1;
    if (by === -1) {
      const store = storeIn(sheet, change.row);
      for (const [number, place] of typed) if (place.store === store) typed.delete(number);
    }
    moveLines(excel, sheet, { what: "row", at: change.row, by });
  }
  const store = change.kind === "type" ? storeIn(sheet, change.row) : NaN;
  if (change.kind === "type" && store > 1000) {
    for (const [number, place] of typed) {
      if (place.store === store && place.col === change.col) typed.delete(number);
    }
    const number = firstTyped + typedSoFar;
    typedSoFar += 1;
    typed.set(number, { store, col: change.col });
    enter(sheet, change.row, change.col, number);
  }
}

let typedSoFar = 0;

type Write = (workbook: Workbook) => Promise<readonly FoundContent[]>;

const writers: Readonly<Record<string, Write>> = {
  corrections: async (workbook) => {
    const cells = Array.from({ length: rows }, (_, index) => ({
      cell: { sheet: "Plan", row: index + 1, col: 1 },
      ...{ from: `wrong ${index + 1}`, to: correctItem(1001 + index) },
    }));
    return (await correct(workbook, cells)).overwritten;
  },
  "an inserted formula": async (workbook) => {
    const options = { formula: formulaIn(1, 2), area: area("Plan", 1, 2, rows), overwrite: false };
    const end = await putFormula(workbook, options);
    return end.kind === "edited" ? end.overwritten : [];
  },
  "formulas entered again": async (workbook) => {
    const cells = Array.from({ length: rows }, (_, index) => {
      return { sheet: "Plan", row: index + 1, col: 3, formula: formulaIn(index + 1, 3) };
    });
    return (await enterAgain(workbook, cells)).overwritten;
  },
};

/** What is wrong in the sheet and not among the contents that INV has returned. */
function problems(sheet: HostSheet, typed: Typed, returned: readonly FoundContent[]): string[] {
  const found: string[] = [];
  const contents = returned.map(({ content }) => content);
  const places = new Map<Cell, { readonly store: number; readonly col: number }>();
  for (const [row, line] of sheet.cells) {
    for (const [col, cell] of line) {
      const text = typeof cell === "object" ? JSON.stringify(cell) : String(cell);
      const store = storeIn(sheet, row);
      const isTyped = typeof cell === "number" && cell >= firstTyped;
      if (isTyped) places.set(cell, { store, col });
      const fits =
        isTyped ||
        ((col === 1 ? ["", `wrong ${store - 1000}`, correctItem(store)].includes(text) : true) &&
          (col === 2 || col === 3 ? ["", formulaIn(row, col)].includes(text) : true));
      // Rows may have moved since INV returned the cell, so the content counts.
      const before = [null, `wrong ${store - 1000}`, null, formulaIn(row, 3), null][col] ?? null;
      const isReturned = returned.some((each) => each.cell.col === col && each.content === before);
      if (row > 0 && store > 1000 && !fits && !isReturned) {
        found.push(`${columnName(col)}${row + 1} of store ${store} contains ${text}`);
      }
    }
  }
  for (const [number, { store, col }] of typed) {
    const place = places.get(number);
    const isThere = place?.store === store && place.col === col;
    if (!isThere && !contents.includes(number)) found.push(`${number} of store ${store} is lost`);
  }
  return found;
}

describe.each(Object.entries(writers))("%s", (_title, write) => {
  it("lose nothing typed and write into no other row, whatever happens between two round trips", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 14 }), async (edits) => {
        const stage = plan();
        const typed: Typed = new Map();
        let trip = 0;
        beforeTrips(stage.excel, () => {
          const change = edits[trip];
          trip += 1;
          if (change) edit(stage, change, typed);
        });
        const returned = await write(stage.workbook).catch((error: unknown): readonly FoundContent[] => {
          expect(String(error)).toMatch(
            /changed while INV worked on it|INV can't write into|no longer there/,
          );
          return [];
        });
        expect(problems(stage.sheet, typed, returned)).toEqual([]);
        expect(stage.excel.names).toEqual([]);
      }),
      { numRuns: slowRuns({ inTests: 40, inDrill: 200 }) },
    );
  });

  it("return what they can't put back only if somebody edits twice", async () => {
    await fc.assert(
      fc.asyncProperty(anyEdit, fc.nat(9), async (change, at) => {
        const stage = plan();
        const typed: Typed = new Map();
        let trip = 0;
        beforeTrips(stage.excel, () => {
          if (trip === at) edit(stage, change, typed);
          trip += 1;
        });
        const returned = await write(stage.workbook).catch((): readonly FoundContent[] => []);
        expect(returned).toEqual([]);
        expect(problems(stage.sheet, typed, [])).toEqual([]);
      }),
      { numRuns: slowRuns({ inTests: 10, inDrill: 100 }) },
    );
  });
});
