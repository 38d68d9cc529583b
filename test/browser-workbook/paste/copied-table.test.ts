/** What other programs get of copied cells, and that the text is read back as the same cells. */
import { type CopiedCell, copiedHtml, copiedText } from "../../../src/browser-workbook/paste/copied-table";
import { systemFormat } from "../../../src/browser-workbook/paste/locale-format";
import { readPlainTable } from "../../../src/browser-workbook/paste/plain-table";
import type { CellContent } from "../../../src/workbook/port";
import { fc } from "../../helpers/properties";

const cell = (value: CellContent, text = "", numberFormat: string | null = null): CopiedCell => ({
  value,
  text: typeof value === "string" ? value : text,
  numberFormat,
});

/** Each cell's HTML. */
function cellsOf(...cells: CopiedCell[]): string[] {
  return copiedHtml([cells], "abc").match(/<td.*?<\/td>/gs) ?? [];
}

test("a text with tabs, line breaks or a quotation mark in front stays one cell", () => {
  const rows = [
    [cell("a\tb"), cell("one\ntwo"), cell('say "hi"')],
    [cell('"quoted"'), cell(null), cell("last")],
  ];
  expect(copiedText(rows)).toBe('"a\tb"\t"one\ntwo"\tsay "hi"\n"""quoted"""\t\tlast');
});

test("texts are read back as they were, wherever they are", () => {
  const text = fc
    .string({ unit: fc.constantFrom("a", "0", "\t", "\n", '"', " ") })
    .map((each) => `x${each}x`);
  const table = fc.array(
    fc.array(
      fc.oneof(
        text,
        text.map((each) => `"${each}`),
      ),
      { minLength: 2, maxLength: 2 },
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(table, (rows) => {
      const copied = copiedText(rows.map((row) => row.map((each) => cell(each))));
      const read = [...readPlainTable(copied, systemFormat("en-US"))];
      expect(read.map((row) => row.map(({ value }) => value))).toEqual(rows);
    }),
  );
});

test("HTML marks texts as texts, so that codes keep their zeros, and keeps their line breaks", () => {
  expect(cellsOf(cell("00012345678905"), cell("one\ntwo"), cell(null))).toEqual([
    `<td style="mso-number-format:'\\@'">00012345678905</td>`,
    `<td style="mso-number-format:'\\@'">one<br style="mso-data-placement:same-cell">two</td>`,
    "<td></td>",
  ]);
});

test("HTML gives numbers all their digits and their formats", () => {
  const euros = '"€"#,##0.00';
  expect(
    cellsOf(cell(0.1 + 0.2, "0.3"), cell(46_354, "2026-11-28", "yyyy-mm-dd"), cell(2, "€2.00", euros)),
  ).toEqual([
    '<td x:num="0.30000000000000004">0.3</td>',
    `<td x:num="46354" style="mso-number-format:'yyyy\\-mm\\-dd'">2026-11-28</td>`,
    `<td x:num="2" style="mso-number-format:'\\0022\\€\\0022\\#\\,\\#\\#0\\.00'">€2.00</td>`,
  ]);
});

test("HTML gives errors and TRUE as such, not as texts", () => {
  expect(cellsOf(cell({ error: "#N/A" }, "#N/A"), cell(true, "TRUE"))).toEqual([
    '<td x:err="#N/A">#N/A</td>',
    '<td x:bool="TRUE">TRUE</td>',
  ]);
});

test("nothing in a cell becomes markup", () => {
  const attack = `"'><script>&`;
  const html = copiedHtml(
    [[cell(attack, attack), cell(1, "<b>", attack), cell({ error: attack }, "x")]],
    "abc",
  );
  expect(html.match(/<[^>]*>/g)).toHaveLength(12);
  expect(html).not.toMatch(/<(?!\/?(?:table|tbody|tr|td)\b)/);
});
