/** INV's assumptions about the workbook and the application. Only Excel can confirm most of them. */
import { isInvFormula } from "../../src/formula/calls";
import { findInvFormulas } from "../../src/workbook/formula-search";
import type { Edit } from "../../src/workbook/port";
import { type ActionCheck, addNamed, type CheckBed, inExcel, areaOnBed, seenIn, settled } from "./check";

const gtin = '"00012345678905"';
const number = `=INV.QTY(1234,${gtin})`;

/** Requirement sets that a part of INV needs, with the fallback that INV uses without the set. */
const sets = [
  ["SharedRuntime", "1.1"],
  ["CustomFunctionsRuntime", "1.2"],
  ["CustomFunctionsRuntime", "1.4"],
  ["ExcelApi", "1.9"],
  ["ExcelApi", "1.16"],
  ["ExcelApi", "1.18"],
  ["ExcelApi", "1.20"],
] as const;

export const bookActions: readonly ActionCheck[] = [
  {
    id: "sets",
    fact: "The requirement sets of this Excel; INV needs SharedRuntime 1.1, CustomFunctionsRuntime 1.2 and ExcelApi 1.9",
    action: "Asks for each requirement set",
    expected: null,
    sure: "documented",
    reliedOnIn: "addin/host.ts",
    run: inExcel(({ probes }) => {
      const lacks = sets.filter(([set, version]) => !probes.supports(set, version));
      const missing = lacks.map(([set, version]) => `${set} ${version}`).join(", ");
      return Promise.resolve(missing === "" ? "supports all" : `lacks ${missing}`);
    }),
  },
  {
    id: "setting",
    fact: "A setting is saved in the file",
    action: "Saves a setting, reads it, removes it",
    expected: "succeeded",
    sure: "documented",
    reliedOnIn: "workbook/office/settings.ts",
    run: inExcel(({ probes }) => probes.saveSetting("inv.check", "a check")),
  },
  {
    id: "saved-as-array",
    fact: "How Excel saves a single value of a function that is declared for ranges; INV does with both",
    action: "Reads savedAsArray of a cell",
    expected: null,
    sure: "documented",
    reliedOnIn: "workbook/office/extents.ts",
    run: inExcel(async (bed) => {
      await bed.workbook.write(areaOnBed(bed, "A1"), [[number]]);
      await settled(bed, areaOnBed(bed, "A1"));
      return (await bed.probes.isSavedAsArray(areaOnBed(bed, "A1"))) ? "as an array" : "as a plain formula";
    }),
  },
  {
    id: "named-lambda",
    fact: "A defined name over a LAMBDA calls INV; INV finds the cell",
    action: "Names a LAMBDA over INV.QTY, writes a formula with it, and looks for it",
    expected: "a number, found",
    sure: "documented",
    source: "learn.microsoft.com: use custom functions with LAMBDA functions",
    reliedOnIn: "workbook/formula-search.ts",
    run: inExcel(async (bed) => {
      const name = "INV_check_stock";
      await bed.probes.addName(name, "=LAMBDA(s,i,INV.QTY(s,i))");
      try {
        await bed.workbook.write(areaOnBed(bed, "A1"), [[`=${name}(1234,${gtin})`]]);
        const [[content] = []] = await settled(bed, areaOnBed(bed, "A1"));
        const cells = await findInvFormulas(bed.workbook, [areaOnBed(bed, "A1")]);
        const isFound = cells.length === 1 ? "found" : "not found";
        return `${seenIn(content)}, ${isFound}`;
      } finally {
        await bed.probes.deleteName(name);
      }
    }),
  },
  {
    id: "manual",
    fact: "In manual calculation a refresh calculates INV's cells and leaves all others",
    action: "Refreshes A1 beside =RAND()",
    expected: "RAND stays",
    sure: "documented",
    source: "learn.microsoft.com: Excel.CalculationMode, Range.calculate",
    reliedOnIn: "workbook/office/recalculate.ts",
    run: inExcel(async (bed) => {
      await bed.workbook.write(areaOnBed(bed, "A1:B1"), [[number, "=RAND()"]]);
      await settled(bed, areaOnBed(bed, "A1:B1"));
      return bed.probes.inManualMode(async () => {
        const random = async () => (await bed.workbook.contentsOf([areaOnBed(bed, "B1")]))[0]?.[0]?.[0];
        const before = await random();
        await bed.workbook.recalculate([areaOnBed(bed, "A1")]);
        await settled(bed, areaOnBed(bed, "A1"));
        return (await random()) === before ? "RAND stays" : "RAND is new";
      });
    }),
  },
  {
    id: "protected",
    fact: "On a protected sheet formulas are found; a write is refused, and INV says so in words",
    action: "Protects the sheet, looks for its formula, and writes",
    expected: "1 found, refused in words",
    sure: "documented",
    reliedOnIn: "workbook/office/errors.ts",
    run: inExcel(async (bed) => {
      await bed.workbook.write(areaOnBed(bed, "B1"), [[number]]);
      await bed.probes.protect(bed.sheet);
      const { length } = await bed.workbook.findFormulas(isInvFormula, [areaOnBed(bed, "B1")]);
      const words = await bed.workbook.write(areaOnBed(bed, "A1"), [["x"]]).then(
        () => "written",
        (error: unknown) => String(Reflect.get(Object(error), "message")),
      );
      await bed.probes.unprotect(bed.sheet);
      return `${length} found, ${/protected/i.test(words) ? "refused in words" : words}`;
    }),
  },
  {
    id: "edit-reported",
    fact: "Excel reports edits",
    action: "Writes a cell and waits for the report",
    expected: "reported",
    sure: "documented",
    reliedOnIn: "workbook/office/edits.ts",
    run: async (bed) =>
      waitForEdit(
        bed,
        () => bed.workbook.write(areaOnBed(bed, "E5"), [["reported?"]]),
        (edit) => Array.isArray(edit) && edit.some(({ sheet }) => sheet === bed.sheet),
      ),
  },
  {
    id: "rename-reported",
    fact: "Excel reports a renamed sheet, with both names",
    action: "Renames the sheet and back",
    expected: "reported",
    sure: "documented",
    reliedOnIn: "workbook/office/edits.ts",
    run: inExcel(async (bed) => {
      const other = `${bed.sheet} renamed`;
      const seen = await waitForEdit(
        bed,
        () => bed.probes.rename(bed.sheet, other),
        (edit) => isRename(edit) && edit.to === other,
      );
      await bed.probes.rename(other, bed.sheet);
      return seen;
    }),
  },
  {
    id: "quoted-sheet",
    fact: "A cell of a sheet with an apostrophe in its name is selected",
    action: "Adds a sheet It's May and selects B2 there",
    expected: "selected",
    sure: "documented",
    reliedOnIn: "workbook/addresses.ts",
    run: inExcel(async ({ workbook, sheet, probes }) => {
      const { id, name } = await addNamed(workbook, `${sheet} It's May`);
      await workbook.select({ sheet: name, row: 1, col: 1, rows: 1, cols: 1 });
      const { row, col, ...selected } = await probes.selected();
      await workbook.deleteSheet(id);
      return selected.sheet === name && row === 1 && col === 1
        ? "selected"
        : `${selected.sheet} ${row} ${col}`;
    }),
  },
  {
    id: "batched",
    fact: "Two hundred formulas of one store and ten items arrive together, and cost one or two calls",
    action: "Writes 200 formulas and counts the calls",
    expected: "2 calls at most",
    sure: "code",
    reliedOnIn: "engine/waiters.ts",
    async run(bed) {
      await twoHundred(bed);
      const calls = bed.callsSent();
      return calls <= 2 ? "2 calls at most" : `${calls} calls`;
    },
  },
  {
    id: "row-inserted",
    fact: "A row inserted above costs no call, though Excel calculates every formula again",
    action: "Inserts a row above 200 formulas and counts the calls",
    expected: "no call",
    sure: "reported",
    source: "office-js 3332, 3911",
    reliedOnIn: "engine/engine.ts",
    run: inExcel(async (bed) => {
      await twoHundred(bed);
      const before = bed.callsSent();
      await bed.probes.insertRow(areaOnBed(bed, "A1"));
      await settled(bed, areaOnBed(bed, "A2:A201"));
      const calls = bed.callsSent() - before;
      return calls === 0 ? "no call" : `${calls} calls`;
    }),
  },
];

function isRename(edit: Edit): edit is Extract<Edit, { readonly to: string }> {
  return edit !== null && "to" in edit;
}

async function twoHundred(bed: CheckBed): Promise<void> {
  const formulas = Array.from({ length: 200 }, (_, row) => [
    `=INV.QTY(1234,"${String(12_345_678_905 + (row % 10) * 1_000).padStart(14, "0")}")`,
  ]);
  await bed.workbook.write(areaOnBed(bed, "A1:A200"), formulas);
  await settled(bed, areaOnBed(bed, "A1:A200"));
}

const pollMs = 250;
const maxPolls = 20;

/** Whether the host reports an edit within some seconds. */
async function waitForEdit(
  { workbook, pause }: CheckBed,
  act: () => Promise<void>,
  isExpected: (edit: Edit) => boolean,
): Promise<"reported" | "not reported"> {
  const seen = { isReported: false };
  const stop = workbook.onEdit((edit) => {
    if (isExpected(edit)) seen.isReported = true;
  });
  // The host needs a moment before it listens.
  await pause(pollMs);
  await act();
  for (let poll = 1; poll <= maxPolls && !seen.isReported; poll += 1) await pause(pollMs);
  stop();
  return seen.isReported ? "reported" : "not reported";
}
