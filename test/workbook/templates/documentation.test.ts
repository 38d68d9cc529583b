/** docs/templates.md: its example is a template that builds, and the page describes every field of the format. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTemplateText } from "../../../src/domain/templates/read-template";
import { mostTemplateCharacters, templateShape } from "../../../src/domain/templates/template";
import { buildTemplate } from "../../../src/workbook/templates/build";
import { createMemoryWorkbook } from "../memory-workbook";

const text = readFileSync(join(__dirname, "..", "..", "..", "docs", "templates.md"), "utf8");

test("the example is read without a fault, and builds", async () => {
  const { template, faults } = readTemplateText(/```json\n(.*?)```/s.exec(text)?.[1] ?? "");
  expect(faults).toBeNull();
  const workbook = createMemoryWorkbook();
  const pairs = [{ store: 57, item: "00012345678912" }];
  const rows = { pairs, stores: [57], items: ["00012345678912"] };
  const sheet = await buildTemplate(workbook, { template: template!, rows, columns: new Set() });
  expect(await workbook.read({ sheet, row: 1, col: 0, rows: 1, cols: 4 }, "formulas")).toEqual([
    [57, "00012345678912", "=INV.QTY(A2,B2)", '=IF(ISNUMBER(C2),IF(C2<12,"order",""),C2)'],
  ]);
  const beside = await workbook.read({ sheet, row: 0, col: 5, rows: 1, cols: 2 }, "formulas");
  expect(beside).toEqual([["Oldest value (UTC)", '=MIN(IFNA(INV.ASOF(A2:A2,B2:B2),""))']]);
});

test.each(fieldsOf(templateShape))("the field %s is named", (field) => {
  expect(text).toContain(`\`${field}\``);
});

test("the longest file has the stated length", () => {
  expect(text).toContain(`${mostTemplateCharacters.toLocaleString("en-US")} characters`);
});

/** Names of the fields of the template, its sheet and its table's columns. */
function fieldsOf({ shape }: typeof templateShape): string[] {
  const table = shape.table.def.innerType.shape;
  const parts = [shape, shape.sheet.shape, table.columns.def.element.shape, shape.chart.def.innerType.shape];
  return [...new Set(parts.flatMap((part) => Object.keys(part)))];
}
