/**
 * The workbook with which an Excel checks itself, over Microsoft's runtime. In an Excel that works as documented, every
 * action finds what it needs and reports what it saw. The checks detect an Excel that works differently. The host
 * calculates nothing: formulas show what their check expects.
 */
import { checkExcel, type CheckRun } from "./check-book";
import { formulaChecks } from "./formula-checks";
import { createOfficeProbes, type ProbedOffice } from "./office-probes";
import type { Cell } from "../excel/sheet";
import { openWorkbook } from "../workbook/office/office-stage";

const stock = 12;
const results = new Map<string, Cell>([
  ...formulaChecks.map(({ formula, expected }): [string, Cell] => [formula, expected]),
  ["=NA()", { error: "#N/A" }],
  ["=A1*2", stock * 2],
  ["=B1+1", stock * 2 + 1],
]);

function anExcel() {
  const { excel, workbook } = openWorkbook("Sheet1");
  excel.shows = (formula) => results.get(formula) ?? stock;
  const run: CheckRun = {
    workbook,
    probes: createOfficeProbes(excel as unknown as ProbedOffice),
    callsSent: () => 0,
    async pause() {
      // Excel also reports what add-ins write (documented).
      const scratch = excel.sheets.find(({ name }) => name.startsWith("INV check scratch"));
      if (scratch) excel.change(scratch.name, "E5");
      await new Promise(setImmediate);
    },
    about: "1.0.0, Excel, demo",
    nowMs: Date.UTC(2026, 10, 24),
    onStep: () => undefined,
    isStopped: () => false,
  };
  return { excel, workbook, run };
}

/** Seen and expected values by fact. */
function outcomes(text: string): ReadonlyMap<string, readonly [seen: string, expected: string]> {
  const lines = text.split("\n").slice(2);
  return new Map(
    lines.map((line) => {
      const [, fact = "", , seen = "", expected = ""] = line.split(" | ");
      return [fact, [seen, expected]];
    }),
  );
}

it("every check reports the expected result in an Excel that works as documented", async () => {
  const { excel, workbook, run } = anExcel();
  const steps: string[] = [];
  const text = await checkExcel({ ...run, onStep: ({ fact }) => void steps.push(fact) });
  const judged = [...outcomes(text)].filter(([, [, expected]]) => expected !== "");
  // This host does not calculate formulas that spill.
  const differing = judged.filter(
    ([fact, [seen, expected]]) => seen.toLowerCase() !== expected.toLowerCase() && !fact.includes("spilled"),
  );
  expect(differing).toEqual([]);
  expect(judged.length).toBeGreaterThan(30);
  expect(text).not.toContain("failed");
  // The title contains nothing about a person or a company: only versions, the Excel and the environment's id.
  expect(text).toMatch(/^INV, 1\.0\.0, Excel, demo, 2026-11-24\n/);
  expect(new Set(steps).size).toBe(steps.length);
  const visible = (await workbook.sheets()).filter((sheet) => sheet.visible);
  expect(visible.map(({ name }) => name)).toEqual(["Sheet1", "INV check data", "INV check"]);
  expect(excel.names).toEqual([]);
  expect(excel.saved.size).toBe(0);
  expect(excel.calculationMode).toBe("Automatic");
});

it("an Excel that works differently is detected, and a failed check does not stop the others", async () => {
  const { excel, run } = anExcel();
  excel.failsToSave = true;
  excel.shows = (formula) => (formula === "=NA()" ? "#N/A" : (results.get(formula) ?? stock));
  const { probes } = run;
  const text = await checkExcel({
    ...run,
    probes: { ...probes!, insertRow: () => Promise.reject(new Error("refused")) },
  });
  const seen = outcomes(text);
  expect(seen.get("A setting is saved in the file")?.[0]).toBe("failed");
  expect(seen.get("INV distinguishes an error from a text that looks the same, in every language")?.[0]).toBe(
    "text #N/A, text #N/A",
  );
  expect(
    seen.get("A row inserted above costs no call, though Excel calculates every formula again")?.[0],
  ).toMatch(/^failed: /);
  expect(seen.get("A number format is read as it was set, whatever the regional settings")?.[0]).toBe(
    "0.00, yyyy-mm-dd",
  );
});
