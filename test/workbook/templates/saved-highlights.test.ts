/** Which conditional formats of a sheet a template gets, and for which cells. */
import { savedHighlights } from "../../../src/workbook/templates/saved-highlights";
import { areaAt } from "../../../src/workbook/templates/fill";
import type { FoundHighlight } from "../../../src/workbook/port";

const parts = {
  used: { sheet: "Plan", ...areaAt("A1:H20") },
  table: { rows: 11, cols: 5 },
  spell: (formula: string) => formula,
  limit: 100,
};

function found(areas: string, formula: string): FoundHighlight {
  return {
    areas: areas.split(",").map((area) => ({ sheet: "Plan", ...areaAt(area) })),
    rule: { kind: "formula", formula, fill: "#fde7e5" },
    name: "rule with a formula",
  };
}

const formulas = (saved: ReturnType<typeof savedHighlights>) => ({
  ofTable: saved.ofTable.map(({ columns, rule }) => [columns, "formula" in rule ? rule.formula : null]),
  others: saved.others.map(({ area, rule }) => [area, "formula" in rule ? rule.formula : null]),
  notSaved: saved.notSaved,
});

test.each([
  [
    "each column has the formula of its own first row",
    "C2:D11",
    "=C2<$H$1",
    [
      [[2], "=C2<$H$1"],
      [[3], "=D2<$H$1"],
    ],
  ],
  ["columns with the same formula are one rule", "C2:D11", "=$E2<5", [[[2, 3], "=$E2<5"]]],
  ["whole columns count from their first row", "C1:C1048576", "=C1<5", [[[2], "=C2<5"]]],
  ["areas that rows have split are one", "C2:C5,C7:C11", "=C2<5", [[[2], "=C2<5"]]],
])("%s", (_, areas, formula, ofTable) => {
  const used = { sheet: "Plan", ...areaAt("A1:H11") };
  expect(formulas(savedHighlights([found(areas, formula)], { ...parts, used }))).toEqual({
    ofTable,
    others: [],
    notSaved: [],
  });
});

test("cells beside and below the table keep their rules, each with its own formula", () => {
  expect(formulas(savedHighlights([found("D2:G20", "=D2>1")], parts))).toEqual({
    ofTable: [
      [[3], "=D2>1"],
      [[4], "=E2>1"],
    ],
    others: [
      ["F2:G20", "=F2>1"],
      ["D12:E20", "=D12>1"],
    ],
    notSaved: [],
  });
});

test("without a table every rule keeps its cells, within the used ones", () => {
  const saved = savedHighlights([found("B2:Z99", "=B2>1")], { ...parts, table: null });
  expect(formulas(saved)).toEqual({ ofTable: [], others: [["B2:H20", "=B2>1"]], notSaved: [] });
});

test("names rules of single rows and rules beyond the limit", () => {
  const rules = [
    found("C4", "=C4>1"),
    found("J1:J9", "=J1>1"),
    found("C2:C11", "=C2>1"),
    found("D2:D11", "=D2>1"),
  ];
  expect(formulas(savedHighlights(rules, { ...parts, limit: 1 }))).toEqual({
    ofTable: [[[2], "=C2>1"]],
    others: [],
    notSaved: ["rule with a formula", "rule with a formula"],
  });
});

test("a rule for a few rows is about their stores and items, so it stays behind", () => {
  const saved = savedHighlights([found("C4:C8", "=C4>1")], parts);
  expect(formulas(saved)).toEqual({ ofTable: [], others: [], notSaved: ["rule with a formula"] });
});

test.each([
  ["a few rows, beside a whole column", "C2:C11,E4:E5", "=C2>1", [[[2], "=C2>1"]], []],
  ["a few rows, and cells beside the table", "C4:C5,G2:G20", "=C4>1", [], [["G2:G20", "=G2>1"]]],
  ["a few rows of the table and the cells beside them", "D4:G6", "=D4>1", [], [["F4:G6", "=F4>1"]]],
  ["headings, beside a whole column", "C2:C11,A1:B1", "=C2>1", [[[2], "=C2>1"]], []],
])("names what it leaves out of a rule that it saves: %s", (_, areas, formula, ofTable, others) => {
  const saved = savedHighlights([found(areas, formula)], parts);
  expect(formulas(saved)).toEqual({ ofTable, others, notSaved: ["area of a rule with a formula"] });
});

test("a rule over several areas is saved for all of them", () => {
  const saved = savedHighlights([found("C2:C11,E2:E11,G3:G4", "=C2>1")], parts);
  expect(formulas(saved)).toEqual({
    ofTable: [
      [[2], "=C2>1"],
      [[4], "=E2>1"],
    ],
    others: [["G3:G4", "=G3>1"]],
    notSaved: [],
  });
});
