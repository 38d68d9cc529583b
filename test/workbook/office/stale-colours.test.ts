/**
 * The colours of stale cells over Microsoft's runtime, while somebody inserts and deletes rows and types between any two round trips.
 * Excel moves conditional formats with their cells. In the end exactly the stale cells are coloured, each by its store.
 */
import { type CellRegister, createCellRegister } from "../../../src/cells/cell-register";
import { InvError } from "../../../src/domain/errors";
import type { ItemQuery, Query } from "../../../src/domain/records";
import type { Engine } from "../../../src/engine/types";
import { startFunctions } from "../../../src/functions/context";
import { functionPreview } from "../../../src/functions/preview";
import { cellAddresses } from "../../../src/workbook/addresses";
import { createStaleColours, staleLook } from "../../../src/workbook/refresh/stale-colours";
import { createScopes } from "../../../src/workbook/refresh/scopes";
import type { Block } from "../../excel/block";
import { contextOn, withHost } from "../../functions/fakes";
import { beforeTrips } from "../../excel/excel-in-node";
import { moveLines } from "../../excel/move-lines";
import { enter } from "../../excel/sheet";
import { fc, slowRuns } from "../../helpers/properties";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { area, openWorkbook } from "./office-stage";

withHost();

const formulaCol = 3;
const firstStore = 1001;
const outage = new InvError("service-down", "The service is not available.");
const theirs = { kind: "Custom", rule: { formula: "=$A2>1000", fill: "#ff0000" } };

/** How this session knows the cell of a store: `calculated` means that it has calculated it. */
type Age = "answered" | "stale" | "stale, not calculated" | "not calculated";

/** One row for each store, with these ages, and colours on the rows that have them from before. */
async function plan(ages: readonly Age[], colouredBefore: readonly boolean[]) {
  const { excel, workbook } = openWorkbook("Plan", "Notes");
  const sheet = excel.sheet("Plan");
  const ageOf = new Map(ages.map((age, index) => [firstStore + index, age]));
  for (const [index] of ages.entries()) {
    enter(sheet, index + 1, 0, firstStore + index);
    enter(sheet, index + 1, 1, "'00012345678905");
    enter(sheet, index + 1, formulaCol, formulaIn(index + 1));
  }
  sheet.formatting.push({ ...theirs, rule: { ...theirs.rule, block: area("Plan", 1, 0, ages.length, 4) } });
  const before = colouredBefore.flatMap((isOn, index) => {
    return isOn && index < ages.length ? [area("Plan", index + 1, formulaCol)] : [];
  });
  await workbook.setColours(staleLook, { sheet: "Plan", areas: before, formulas: [] });

  const clock = createVirtualClock();
  let register = createCellRegister({ clock });
  const cells = new Proxy({} as CellRegister, { get: (_, name) => Reflect.get(register, name) as unknown });
  const storeIn = (row: number): number => Number(sheet.cells.get(row)?.get(0) ?? NaN);

  /** The host calculates moved cells again. */
  function calculate(): void {
    register = createCellRegister({ clock });
    for (const [row, line] of sheet.cells) {
      const age = ageOf.get(storeIn(row));
      if (!line.has(formulaCol) || (age !== "answered" && age !== "stale")) continue;
      const report = register.begin(cellAddresses({ sheet: "Plan", row, col: formulaCol })[0], "demo");
      report.requests({ storeNumber: storeIn(row), itemType: "gtin", value: "00012345678905" });
      report.answered(clock.now(), ...(age === "stale" ? [outage] : []));
      report.settled();
    }
  }
  calculate();
  const engine = { connection: null, settings: { freshnessMs: 60_000 } } as Engine;
  startFunctions({ ...contextOn(clock), engine, cells });
  const scopes = createScopes({ workbook, engine, cells, clock, functions: functionPreview });
  const isUnanswered = (query: Query): boolean =>
    ageOf.get((query as ItemQuery).storeNumber) === "stale, not calculated";
  const colours = createStaleColours({ workbook, cells, clock, scopes, isUnanswered });
  return { excel, sheet, workbook, colours, calculate, ageOf, storeIn };
}

const formulaIn = (row: number): string => `=IFNA(INV.QTY(A${row + 1},B${row + 1}),0)`;

/** The stores whose formula is coloured. */
function coloured({ sheet, storeIn }: Pick<Awaited<ReturnType<typeof plan>>, "sheet" | "storeIn">): number[] {
  const rules = sheet.formatting as unknown as { rule: { formula?: string; block: Block | null } }[];
  const stores = rules
    .filter(({ rule }) => rule.formula === staleLook.formula && rule.block !== null)
    .flatMap(({ rule: { block } }) => {
      expect(block).toMatchObject({ col: formulaCol, cols: 1 });
      return Array.from({ length: block?.rows ?? 0 }, (_, index) => storeIn((block?.row ?? 0) + index));
    });
  return stores.filter((store) => store >= firstStore).sort((one, other) => one - other);
}

const anyEdit = fc.record({
  trip: fc.nat(24),
  kind: fc.constantFrom("insert" as const, "delete" as const, "type" as const),
  row: fc.integer({ min: 0, max: 8 }),
});
const anyRows = fc.array(
  fc.tuple(
    fc.constantFrom<Age>("answered", "stale", "stale, not calculated", "not calculated"),
    fc.boolean(),
  ),
  { minLength: 1, maxLength: 8 },
);

it.each([
  ["a click", true],
  ["a refresh", false],
])("%s colours exactly the stale cells, whatever happens between two round trips", async (_, adds) => {
  await fc.assert(
    fc.asyncProperty(
      anyRows,
      fc.uniqueArray(anyEdit, { maxLength: 3, selector: ({ trip }) => trip }),
      async (rows, edits) => {
        const before = rows.map(([, isColoured]) => isColoured);
        const stage = await plan(
          rows.map(([age]) => age),
          before,
        );
        let trip = 0;
        beforeTrips(stage.excel, () => {
          const edit = edits.find((each) => each.trip === trip);
          trip += 1;
          if (edit === undefined) return;
          if (edit.kind === "type") enter(stage.sheet, edit.row, 5, "a note");
          else {
            const by = edit.kind === "insert" ? 1 : -1;
            moveLines(stage.excel, stage.sheet, { what: "row", at: edit.row, by });
            stage.calculate();
          }
        });
        await (adds ? stage.colours.colour() : stage.colours.update(false));
        const left = [...stage.sheet.cells.keys()].map(stage.storeIn);
        const expected = rows.flatMap(([age, isColoured], index) => {
          const store = firstStore + index;
          const isStale = age.startsWith("stale");
          const isOn = isStale ? adds || isColoured : age === "not calculated" && isColoured;
          return isOn && left.includes(store) ? [store] : [];
        });
        expect(coloured(stage)).toEqual(expected);
        const others = stage.sheet.formatting as { rule: { fill?: string } }[];
        expect(others.filter(({ rule }) => rule.fill === theirs.rule.fill)).toHaveLength(1);
      },
    ),
    { numRuns: slowRuns({ inTests: 20, inDrill: 300 }) },
  );
});

it("a mark is grey italics with a dotted line", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await workbook.setColours(staleLook, { sheet: "Plan", areas: [area("Plan", 1, 2, 3)], formulas: [] });
  expect(excel.sheet("Plan").formatting).toEqual([
    {
      kind: "Custom",
      rule: {
        block: { row: 1, col: 2, rows: 3, cols: 1 },
        formula: staleLook.formula,
        color: "#6b6b6b",
        italic: true,
        line: "Dot",
        lineColor: "#6b6b6b",
      },
    },
  ]);
  expect(await workbook.colouredAreas(staleLook)).toEqual([area("Plan", 1, 2, 3)]);
});

it("areas that stay coloured are left alone, and many are written in few round trips", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const areas = Array.from({ length: 700 }, (_, index) => area("Plan", 2 * index, 0));
  await workbook.setColours(staleLook, { sheet: "Plan", areas, formulas: [] });
  expect(excel.trips.length).toBeLessThanOrEqual(5);
  const [first] = excel.sheet("Plan").formatting;
  await workbook.setColours(staleLook, { sheet: "Plan", areas: areas.slice(0, 1), formulas: [] });
  expect(excel.sheet("Plan").formatting).toEqual([first]);
  expect(excel.sheet("Plan").formatting[0]).toBe(first);
});

it("a protected sheet refuses, and keeps its formats", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.sheet("Plan").isProtected = true;
  const change = { sheet: "Plan", areas: [area("Plan", 1, 2)], formulas: [] };
  await expect(workbook.setColours(staleLook, change)).rejects.toThrow();
  expect(excel.sheet("Plan").formatting).toEqual([]);
});
