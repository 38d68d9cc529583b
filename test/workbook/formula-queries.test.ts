/** What formulas would ask for, read from their text and the sheet: the same as the functions ask when they are calculated. */
import { createCellRegister } from "../../src/cells/cell-register";
import { isHistory } from "../../src/domain/query-keys";
import { startFunctions } from "../../src/functions/context";
import { functionPreview } from "../../src/functions/preview";
import { readFormulaQueries } from "../../src/workbook/formula-queries";
import type { CellValue } from "../../src/workbook/port";
import { createBed, noQuota } from "../engine/bed";
import { contextOn } from "../functions/fakes";
import { createMemoryWorkbook } from "./memory-workbook";

const gtin = (number: number) => String(number).padStart(14, "0");

/** Stores in A, items in B, from row 2 on. */
function openSheet(rows = 3) {
  const { engine, clock } = createBed(noQuota);
  startFunctions({ ...contextOn(clock), engine, cells: createCellRegister({ clock }) });
  const workbook = createMemoryWorkbook(["Plan", "It's here"]);
  const put = (row: number, col: number, value: CellValue, sheet = "Plan") =>
    workbook.put({ sheet, row, col }, value);
  put(0, 0, "Store");
  put(0, 1, "Item no.");
  for (let row = 1; row <= rows; row += 1) {
    put(row, 0, 100 + row);
    put(row, 1, gtin(row));
  }
  /** Returns the queries as `store item`, or `store item event`, and how many calls can't be told. */
  async function read(formula: string, row = 1) {
    const at = { sheet: "Plan", row, col: 5 };
    const [found] = await clock.until(
      readFormulaQueries({ workbook, functions: functionPreview, clock }, [{ ...at, formula }]),
    );
    const { queries, unpredictable, isAgeCell } = found!;
    const asked = queries.map((query) =>
      isHistory(query)
        ? `${query.storeNumber} ${Number(query.gtin)} ${query.eventType ?? "all"}`
        : `${query.storeNumber} ${Number(query.value)}`,
    );
    return { asked, unpredictable, isAgeCell };
  }
  return { workbook, put, read, clock };
}

const all = ["101 1", "102 2", "103 3"];

it.each<[string, readonly string[]]>([
  ["=INV.QTY(A2,B2)", ["101 1"]],
  ["=_xldudf_INV_QTY($A$3,Plan!B3)", ["102 2"]],
  ["=IFNA(INV.QTY(A2,B2),0)+INV.QTY(A3,B3)", ["101 1", "102 2"]],
  ['=INV.QTY(1234,"00012345678905",,"NET_AVAILABLE")', ["1234 12345678905"]],
  ["=INV.QTY(A2:A4,B2:B4)", all],
  ["=SUM(INV.QTY(A2:A3,TRANSPOSE(B2:B3)))", ["101 1", "101 2", "102 1", "102 2"]],
  ["=INV.QTY(A2:A3,B2)", ["101 1", "102 1"]],
  ['=IF(A2="","",INV.QTY(A2,B2))', ["101 1"]],
  ['=IF(OR(A9="",B9=""),"",INV.QTY(A9,B9))', []],
  ["=INV.QTY(A9,B9)", []],
  ['=INV.EVENTQTY(A2,B2,"SALES",TODAY()-3)', ["101 1 SALES"]],
  ["=INV.EVENTS(A2,B2)", ["101 1 all"]],
  ["=INV.ENV()", []],
])("%s asks for %j", async (formula, asked) => {
  const { read } = openSheet();
  expect((await read(formula)).asked).toEqual(asked);
});

it.each([
  ["arguments that Excel computes", '=INV.QTY(A2,TEXT(B2,"0"))', 1],
  ["volatile arguments", "=INV.QTY(OFFSET(A1,1,0),B2)", 1],
  ["names of LET", "=LET(s,A2,INV.QTY(s,B2))", 1],
  ["names that call INV", "=Stock(A2,B2)", 1],
  ["calls that Excel may skip", "=IF(C2>0,INV.QTY(A2,B2),INV.QTY(A3,B3))", 2],
  ["a second choice", "=IFNA(INV.QTY(A2,B2),INV.QTY(A3,B3))", 1],
  ["a name that is gone", "=INV.QTY(Gone,B2)", 1],
])("%s can't be told", async (_, formula, unpredictable) => {
  expect((await openSheet().read(formula)).unpredictable).toBe(unpredictable);
});

it("reads the whole columns up to their last entry", async () => {
  const { read } = openSheet();
  const { asked, unpredictable } = await read("=INV.QTY(A:A,B:B)");
  // The heading isn't a store.
  expect({ asked, unpredictable }).toEqual({ asked: all, unpredictable: 0 });
});

it("reads references that reach far below the last entry", async () => {
  const { read } = openSheet();
  expect(await read("=INV.QTY(A2:A1048576,B2:B1048576)")).toMatchObject({ asked: all, unpredictable: 0 });
  expect(await read("=INV.QTY($A2:$A70000,B2:B70000)")).toMatchObject({ asked: all, unpredictable: 0 });
});

it("reads the others' arguments beside a range that is too large to read", async () => {
  const { workbook, read } = openSheet();
  workbook.definedNames.push({ name: "Large", sheet: null, formula: "='Plan'!$C$1:$CZ$60000" });
  expect(await read("=INV.QTY(Large,B2)+INV.QTY(A2:A4,B2:B4)")).toMatchObject({
    asked: all,
    unpredictable: 1,
  });
});

it("reads spilled areas, names, and columns of a table", async () => {
  const { workbook, put, read } = openSheet();
  put(1, 9, "=FILTER(A2:A4,A2:A4>0)");
  workbook.valueOf = () => 101;
  workbook.spills.set("1,9,Plan", { rows: 3, cols: 1 });
  put(2, 9, 102);
  put(3, 9, 103);
  expect((await read("=INV.QTY(J2#,B2:B4)")).asked).toEqual(all);
  workbook.definedNames.push({ name: "Stores", sheet: null, formula: "='Plan'!$A$2:$A$4" });
  expect((await read("=INV.QTY(stores,B2:B4)")).asked).toEqual(all);
  await workbook.addTable({ sheet: "Plan", row: 0, col: 0, rows: 4, cols: 8 }, "Items");
  expect((await read("=INV.QTY([@Store],[@[Item no.]])", 2)).asked).toEqual(["102 2"]);
  expect((await read("=INV.QTY(Items[[#This Row],[Store]],Items[@[Item no.]])", 3)).asked).toEqual(["103 3"]);
  expect((await read("=INV.QTY(Items[Store],Items[Item no.])")).asked).toEqual(all);
});

it("reads names of whole columns and of a Table's column as they stand in an argument", async () => {
  const { workbook, read } = openSheet();
  const add = (name: string, formula: string, sheet: string | null = null) =>
    workbook.definedNames.push({ name, sheet, formula });
  add("Stores", "='Plan'!$A:$A");
  add("Tall", "='Plan'!$B$2:$B$70000");
  expect(await read("=INV.QTY(A2:A70000,tall)")).toMatchObject({ asked: all, unpredictable: 0 });
  expect(await read("=INV.QTY(Stores,B:B)")).toMatchObject({ asked: all, unpredictable: 0 });
  await workbook.addTable({ sheet: "Plan", row: 0, col: 0, rows: 4, cols: 8 }, "Items");
  add("GTINs", "=Items[Item no.]");
  expect(await read("=INV.QTY(Items[Store],GTINs)")).toMatchObject({ asked: all, unpredictable: 0 });
  expect((await read("=INV.QTY(A2,TRANSPOSE(GTINs))")).asked).toEqual(["101 1", "101 2", "101 3"]);
  // The sheet's own name comes first.
  add("GTINs", "='Plan'!$B$4", "Plan");
  expect((await read("=INV.QTY(A2,GTINs)")).asked).toEqual(["101 3"]);
  add("Computed", "=UNIQUE('Plan'!$A$2:$A$4)");
  expect(await read("=INV.QTY(Computed,B2)")).toMatchObject({ asked: [], unpredictable: 1 });
});

it("knows a cell that only shows since when others are stale", async () => {
  const { read } = openSheet();
  expect(await read("=INV.STATUS(A2,B2,,TRUE)")).toEqual({
    asked: ["101 1"],
    unpredictable: 0,
    isAgeCell: true,
  });
  expect(await read("=INV.STATUS(A2,B2)")).toMatchObject({ asked: ["101 1"], isAgeCell: false });
});

it("can't tell a call whose argument still waits, and asks nothing for one with an error", async () => {
  const { put, read } = openSheet();
  put(1, 0, "#BUSY!");
  expect(await read("=INV.QTY(A2,B2)")).toMatchObject({ asked: [], unpredictable: 1 });
  put(1, 0, "#N/A");
  expect(await read("=INV.QTY(A2,B2)")).toMatchObject({ asked: [], unpredictable: 0 });
});

it("can't predict anything before the functions have started, so no formula counts as blank then", async () => {
  const { workbook, clock } = openSheet();
  const formula = { sheet: "Plan", row: 1, col: 5, formula: "=INV.QTY(A2,B2)" };
  const reading = readFormulaQueries({ workbook, functions: { queries: () => null }, clock }, [formula]);
  expect(await clock.until(reading)).toMatchObject([{ queries: [], unpredictable: 1, isSkippable: false }]);
});

it.each([
  ["=INV.QTY(A2,B2)", false],
  ['=IFNA(INV.QTY(A2,B2),"")', false],
  ['=IF(A2="","",INV.QTY(A2,B2))', false],
  ["=INV.QTY(A2,B2)+IF(E2>0,INV.QTY(A2,B3))", false],
  ['=IF(E2>0,INV.QTY(A2,B2),"")', true],
  ["=Stock(A2,B2)", true],
])("knows whether Excel may skip all calls of %s", async (formula, isSkippable) => {
  const { workbook, clock } = openSheet();
  const cell = { sheet: "Plan", row: 1, col: 5, formula };
  const reading = readFormulaQueries({ workbook, functions: functionPreview, clock }, [cell]);
  expect(await clock.until(reading)).toMatchObject([{ isSkippable }]);
});

it("reads 10,000 formulas in few reads", async () => {
  const { workbook, clock } = openSheet(10_000);
  let areas = 0;
  const { contentsOf } = workbook;
  workbook.contentsOf = (given) => {
    areas += given.length;
    return contentsOf(given);
  };
  const formulas = Array.from({ length: 10_000 }, (_, row) => ({
    ...{ sheet: "Plan", row: row + 1, col: 5 },
    formula: `=IFNA(INV.QTY($A${row + 2},$B${row + 2}),"")`,
  }));
  const found = await clock.until(
    readFormulaQueries({ workbook, functions: functionPreview, clock }, formulas),
  );
  expect(found.flatMap(({ queries }) => queries)).toHaveLength(10_000);
  expect(areas).toBe(1);
});
