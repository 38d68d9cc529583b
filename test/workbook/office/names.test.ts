/**
 * Formulas that use INV through a defined name. The text of `=Stock(A2,B2)` over a LAMBDA contains nothing of INV (Excel's
 * documentation of LAMBDA). So INV reads names, and also counts cells that the register knows.
 */
import { createCellRegister } from "../../../src/cells/cell-register";
import { searchFormulas, findInvFormulas } from "../../../src/workbook/formula-search";
import { createVirtualClock } from "../../helpers/virtual-clock";
import type { HostName } from "../../excel/names";
import { beforeTrips } from "../../excel/excel-in-node";
import { enter, type HostSheet } from "../../excel/sheet";
import { openWorkbook } from "./office-stage";

const lambda = "=LAMBDA(s,i,IFNA(INV.QTY(s,i),0))";

function named(...formulas: string[]) {
  const { excel, workbook } = openWorkbook("Plan", "Other");
  formulas.forEach((formula, row) => enter(excel.sheet("Plan"), row, 2, formula));
  return { excel, workbook };
}

it("names are read, the workbook's and each sheet's, hidden ones too", async () => {
  const { excel, workbook } = named();
  const other = excel.sheet("Other");
  excel.names.push(
    { name: "Stock", scope: null, formula: lambda, visible: true },
    { name: "Local", scope: other, formula: "=Other!$A$1", visible: false },
  );
  expect(await workbook.names()).toEqual([
    { name: "Stock", sheet: null, formula: lambda },
    { name: "Local", sheet: "Other", formula: "=Other!$A$1" },
  ]);
  expect(excel.trips).toHaveLength(2);
  excel.excelApi = 6;
  expect(await workbook.names()).toEqual([]);
});

/** Hidden names, as copies of a sheet have them. */
const hidden = (count: number, scope: HostSheet | null): HostName[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `_inv_${String(at).padStart(5, "0")}`,
    scope,
    formula: `='Planning sheet of week 47 (2)'!$C$${at + 1}`,
    visible: false,
  }));

it("80,000 names are read in pages, half of them a sheet's", async () => {
  const { excel, workbook } = named();
  excel.names.push(...hidden(40_000, null), ...hidden(40_000, excel.sheet("Other")));
  const names = await workbook.names();
  expect(names).toHaveLength(80_000);
  expect(new Set(names.map(({ sheet, name }) => `${String(sheet)} ${name}`)).size).toBe(80_000);
  expect(excel.requests.filter(({ refused }) => refused !== null)).toEqual([]);
  expect(excel.trips.length).toBeLessThanOrEqual(20);
});

it("requests smaller pages if one is too large", async () => {
  const { excel, workbook } = named();
  const long = `=LAMBDA(a,${"a+".repeat(3_000)}0)`;
  excel.names.push(...hidden(3_000, null).map((each) => ({ ...each, formula: long })));
  expect(await workbook.names()).toHaveLength(3_000);
});

it.each([
  ["added", (names: HostName[]) => names.unshift({ ...names[0]!, name: "_inv_!" })],
  ["deleted", (names: HostName[]) => names.shift()],
])("no name is missed when one is %s between two pages", async (_what, edit) => {
  const { excel, workbook } = named();
  excel.names.push(...hidden(12_000, null));
  let trips = 0;
  beforeTrips(excel, () => {
    trips += 1;
    if (trips === 3) edit(excel.names);
  });
  const names = (await workbook.names()).map(({ name }) => name);
  expect(names.sort()).toEqual(excel.names.map(({ name }) => name).sort());
});

it("ends with an error if the names keep changing", async () => {
  const { excel, workbook } = named();
  excel.names.push(...hidden(12_000, null));
  beforeTrips(excel, () => void excel.names.shift());
  await expect(workbook.names()).rejects.toThrow("changed while INV read them");
});

it("where Excel refuses the names of sheets, the workbook's own are read, and formulas found by them", async () => {
  const { excel, workbook } = named("=Stock(A1,B1)", "=INV.QTY(A2,B2)");
  excel.names.push({ name: "Stock", scope: null, formula: lambda, visible: true });
  excel.refusesSheetNames = true;
  expect(await workbook.names()).toEqual([{ name: "Stock", sheet: null, formula: lambda }]);
  expect((await findInvFormulas(workbook)).map(({ row }) => row)).toEqual([0, 1]);
});

it("a formula is found through a name, through a name of a name, and through the name of a sheet", async () => {
  const { excel, workbook } = named(
    "=stock(A1,B1)",
    "=1+Twice(A2)",
    "=Other!Local(A3)",
    '="Stock(A4)"',
    "=Stock_old(A5)",
    "=Stock!A6",
    "=SUM(A7)",
  );
  excel.names.push(
    { name: "Twice", scope: null, formula: "=LAMBDA(a,2*STOCK(a,a))", visible: true },
    { name: "Stock", scope: null, formula: lambda, visible: true },
    { name: "Local", scope: excel.sheet("Other"), formula: "=LAMBDA(a,INV.UPDATED(a,a))", visible: true },
    { name: "Stock_old", scope: null, formula: "=LAMBDA(a,a)", visible: true },
  );
  expect((await findInvFormulas(workbook)).map(({ row }) => row)).toEqual([0, 1, 2]);
});

describe("a cell that the register knows", () => {
  function known() {
    const stage = named("=Unreadable(A1,B1)", "=INV.QTY(A2,B2)", "=Unreadable(A3,B3)");
    const clock = createVirtualClock();
    const cells = createCellRegister({ clock });
    for (const row of [1, 2, 3]) cells.begin(`Plan!C${row}`, "demo").settled();
    return { ...stage, clock, cells };
  }

  it("stays a target while it contains any formula, and is forgotten without one", async () => {
    const { excel, cells, ...tools } = known();
    enter(excel.sheet("Plan"), 2, 2, 7);
    const everything = () => [...cells.all()].map(({ address }) => address);
    const found = await searchFormulas({ ...tools, cells }, everything);
    expect(found.map(({ address }) => address)).toEqual(["Plan!C2", "Plan!C1"]);
    expect(everything()).toEqual(["Plan!C1", "Plan!C2"]);
  });
});
