/**
 * Every string that a template's file can contain, and what becomes of it. A template comes from outside: INV enters formulas
 * only where the format says so, after the check of formulas, and everything else as text.
 */
import * as z from "../../src/domain/zod";
import { readTemplate } from "../../src/domain/templates/read-template";
import { type Template, templateShape } from "../../src/domain/templates/template";
import { isInvFormula } from "../../src/formula/calls";
import { buildTemplate } from "../../src/workbook/templates/build";
import { createMemoryWorkbook } from "../workbook/memory-workbook";

/**
 * `cell`: a formula if it begins with `=`, checked; any other text is checked too, as if it was typed. `formula`: must begin with
 * `=`, checked. `text`: only shown, and never begins with `=`. `fixed`: one of a few words, or of a fixed pattern.
 */
type Becomes = "cell" | "formula" | "text" | "fixed";

const strings: Readonly<Record<string, Becomes>> = {
  format: "fixed",
  id: "fixed",
  title: "text",
  summary: "text",
  needs: "fixed",
  environment: "text",
  "sheet.name": "text",
  "sheet.select": "fixed",
  "blocks.*.at": "fixed",
  "blocks.*.rows.*.*": "cell",
  "table.name": "fixed",
  "table.columns.*.id": "fixed",
  "table.columns.*.header": "text",
  "table.columns.*.cell": "cell",
  "table.columns.*.style": "fixed",
  "table.columns.*.numberFormat": "text",
  "table.columns.*.fill": "fixed",
  "table.columns.*.color": "fixed",
  "table.columns.*.align": "fixed",
  "table.columns.*.note": "text",
  "table.columns.*.highlight.kind": "fixed",
  "table.columns.*.highlight.colors.*": "fixed",
  "table.columns.*.highlight.color": "fixed",
  "table.columns.*.highlight.fill": "fixed",
  "table.columns.*.highlight.formula": "formula",
  "table.highlights.*.columns.*": "fixed",
  "table.highlights.*.rule.kind": "fixed",
  "table.highlights.*.rule.colors.*": "fixed",
  "table.highlights.*.rule.color": "fixed",
  "table.highlights.*.rule.fill": "fixed",
  "table.highlights.*.rule.formula": "formula",
  "table.beside.rows.*.*": "cell",
  "table.beside.cellFormats.*.col": "fixed",
  "table.beside.cellFormats.*.style": "fixed",
  "table.beside.cellFormats.*.numberFormat": "text",
  "table.beside.cellFormats.*.fill": "fixed",
  "table.beside.cellFormats.*.color": "fixed",
  "table.beside.cellFormats.*.align": "fixed",
  "grid.at": "fixed",
  "grid.formula": "formula",
  "grid.highlights.*.kind": "fixed",
  "grid.highlights.*.colors.*": "fixed",
  "grid.highlights.*.color": "fixed",
  "grid.highlights.*.fill": "fixed",
  "grid.highlights.*.formula": "formula",
  "grid.style": "fixed",
  "grid.numberFormat": "text",
  "grid.fill": "fixed",
  "grid.color": "fixed",
  "grid.align": "fixed",
  "cellFormats.*.area": "fixed",
  "cellFormats.*.style": "fixed",
  "cellFormats.*.numberFormat": "text",
  "cellFormats.*.fill": "fixed",
  "cellFormats.*.color": "fixed",
  "cellFormats.*.align": "fixed",
  "notes.*.at": "fixed",
  "notes.*.text": "text",
  "highlights.*.area": "fixed",
  "highlights.*.rule.kind": "fixed",
  "highlights.*.rule.colors.*": "fixed",
  "highlights.*.rule.color": "fixed",
  "highlights.*.rule.fill": "fixed",
  "highlights.*.rule.formula": "formula",
  "chart.kind": "fixed",
  "chart.title": "text",
  "chart.data": "fixed",
  "chart.over": "fixed",
  "chart.otherwise.area": "fixed",
  "chart.otherwise.color": "fixed",
};

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

function stringsIn(schema: Schema, path: string): string[] {
  const { type, properties = {}, items, prefixItems = [], anyOf = [], oneOf = [] } = schema;
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  return [
    ...(type === "string" ? [path] : []),
    ...Object.entries(properties).flatMap(([name, each]) => stringsIn(each, below(name))),
    ...[items ?? [], prefixItems].flat().flatMap((each) => stringsIn(each, below("*"))),
    ...[...anyOf, ...oneOf].flatMap((each) => stringsIn(each, path)),
  ];
}

const color = "#ffffff";
const format = { style: "note", numberFormat: "0", fill: color, color, align: "left" };
const rules = [
  { kind: "heat", colors: [color, color, color] },
  { kind: "bars", color },
  { kind: "formula", formula: "=A1>1", fill: color, color },
] as const;

/** A template that has every string of its kind at least once. */
function wholeTemplate(needs: "pairs" | "grid", rule: (typeof rules)[number]) {
  return {
    format: "inv-template",
    version: 1,
    id: "whole",
    title: "Whole",
    summary: "Everything.",
    needs,
    environment: "demo",
    sheet: { name: "Whole", select: "A1" },
    blocks: [{ at: "K1", rows: [["Note"]] }],
    ...(needs === "grid"
      ? { grid: { at: "B2", formula: "=INV.QTY({stores},{items})", highlights: [rule], ...format } }
      : {
          table: {
            name: "Whole",
            columns: [
              { id: "number", header: "Store", cell: "{store}" },
              { id: "gtin", header: "GTIN", cell: "{item}" },
              {
                ...format,
                id: "shelf",
                header: "Shelf",
                cell: "text",
                note: "Note",
                highlight: rule,
              },
            ],
            highlights: [{ columns: ["shelf"], rule }],
            beside: {
              rows: [["Label", "text"]],
              widthsPx: [80, 80],
              cellFormats: [{ row: 1, col: "both", ...format }],
            },
          },
        }),
    cellFormats: [{ area: "K1", ...format }],
    notes: [{ at: "K1", text: "Note" }],
    highlights: [{ area: "K1:K2", rule }],
    chart: { kind: "line", title: "Chart", data: "A1:B2", over: "K1:L9", otherwise: { area: "B2", color } },
  };
}

/** Returns the template with another value at this path, or null if it has no such place. */
function withValue(json: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof json !== "object" || json === null) return null;
  if (Array.isArray(json)) {
    const at = json.length - 1;
    const last = withValue(json[at] as unknown, rest, value);
    return at < 0 || last === null ? null : [...(json.slice(0, -1) as unknown[]), last];
  }
  if (!(step in json)) return null;
  const inner = withValue(Reflect.get(json, step), rest, value);
  return inner === null ? null : { ...json, [step]: inner };
}

function templatesWith(path: string, value: string): readonly unknown[] {
  return (["pairs", "grid"] as const)
    .flatMap((needs) => rules.map((rule) => withValue(wholeTemplate(needs, rule), path.split("."), value)))
    .filter((json) => json !== null);
}

const attacks = [
  '=WEBSERVICE("https://example.com/?"&A2)',
  "=cmd|'/c calc'!A0",
  "=\\\\server\\share\\book.xlsx!A1",
];

async function build(template: Template) {
  const workbook = createMemoryWorkbook();
  const rows = {
    stores: [1234],
    items: ["00012345678905"],
    pairs: [{ store: 1234, item: "00012345678905" }],
  };
  await buildTemplate(workbook, { template, rows, columns: new Set() });
  return workbook;
}

test("the list has every string of the schema", () => {
  const schema = z.toJSONSchema(templateShape, { io: "input" }) as Schema;
  expect([...new Set(stringsIn(schema, ""))].sort()).toEqual(Object.keys(strings).sort());
});

test("the template that has every string is valid", () => {
  for (const needs of ["pairs", "grid"] as const) {
    for (const rule of rules) expect(readTemplate(wholeTemplate(needs, rule)).faults).toBeNull();
  }
});

test.each(Object.entries(strings))("%s (%s) takes no formula that reaches outside", (path) => {
  for (const attack of attacks) {
    const templates = templatesWith(path, attack);
    expect(templates.length).toBeGreaterThan(0);
    for (const json of templates) expect(readTemplate(json).template).toBeNull();
  }
});

const texts = Object.entries(strings).filter(([, becomes]) => becomes === "text");

test.each(texts)("%s is only text: no formula at all", (path) => {
  for (const json of templatesWith(path, "=1+1")) {
    expect(readTemplate(json).faults?.join()).toMatch(/must not begin with =/);
  }
});

test.each(texts)("%s begins like no formula, and contains no mark that nobody sees", (path) => {
  const isFormat = path.endsWith("numberFormat");
  const starts = isFormat ? ["\uff1d"] : ["+", "-", "@", " -", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
  const marks = [
    "\u0000",
    "\u0007",
    "\r",
    "\u0085",
    "\u061c",
    "\u200e",
    "\u200f",
    "\u202e",
    "\u2066",
    "\u2069",
  ];
  for (const value of [...starts.map((start) => `${start}1`), ...marks.map((mark) => `a${mark}b`)]) {
    for (const json of templatesWith(path, value)) {
      expect(readTemplate(json).faults?.join()).toMatch(/must not begin with|control or direction mark/);
    }
  }
  const allowed = isFormat ? ["+0;-0", "@", "0.0"] : ["1-2", "a\nb", "a@b", "\u05d0\u05d1"];
  for (const value of allowed) {
    for (const json of templatesWith(path, value)) expect(readTemplate(json).faults).toBeNull();
  }
});

const formulas = Object.entries(strings).filter(([, becomes]) => becomes === "formula");

test.each(formulas)("%s is a formula, which begins with =", (path) => {
  for (const json of templatesWith(path, 'WEBSERVICE("https://example.com")')) {
    expect(readTemplate(json).faults?.join()).toMatch(/must be a formula/);
  }
});

test("a header that a spreadsheet would take for a date is entered as text", async () => {
  const json = withValue(wholeTemplate("pairs", rules[0]), "table.columns.*.header".split("."), "1-2");
  const { template } = readTemplate(json);
  const workbook = await build(template!);
  const written: string[] = [];
  const { write } = workbook;
  workbook.write = (area, cells, options) => {
    if (options?.asText === true) written.push(...cells.flat().map(String));
    return write(area, cells, options);
  };
  await buildTemplate(workbook, {
    template: template!,
    rows: { stores: [1234], items: ["00012345678905"], pairs: [{ store: 1234, item: "00012345678905" }] },
    columns: new Set(),
  });
  expect(written).toEqual(["Store", "GTIN", "1-2"]);
});

test("rules get their own row, wherever they are", async () => {
  const rule = { kind: "formula", formula: "=$A{row}>1", fill: color, color } as const;
  const json = { ...wholeTemplate("pairs", rules[0]), highlights: [{ area: "K5:K6", rule }] };
  const inColumn = withValue(json, "table.columns.*.highlight".split("."), rule);
  const { highlights } = await build(readTemplate(inColumn).template!);
  const ofFormulas = highlights.flatMap(({ area, rule: { ...own } }) =>
    own.kind === "formula" ? [`${area.col},${area.row} ${own.formula}`] : [],
  );
  expect(ofFormulas).toEqual(["2,1 =$A2>1", "10,4 =$A5>1"]);
  expect(
    [...(await build(readTemplate(json).template!)).cells.values()].some((cell) =>
      isInvFormula(String(cell)),
    ),
  ).toBe(false);
});
