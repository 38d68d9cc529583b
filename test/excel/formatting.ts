/** Things on the host's sheets besides cells: rules, notes, tables, charts. They are kept as they were given. */
import type { Block } from "./block";
import { movedFormula } from "../../src/formula/references";
import { type HostObject, refuse } from "./rich-api";
import { contents, enter, type HostSheet } from "./sheet";

export interface HostTable {
  name: string;
  readonly sheet: HostSheet;
  readonly block: Block;
}

/** Fills the first written formula over the rest of its column in a Table. */
export function fillColumns(tables: readonly HostTable[], sheet: HostSheet, written: Block): void {
  for (const table of tables) {
    const { row: head, col, rows, cols } = table.block;
    const held = sheet.cells.get(written.row)?.get(written.col);
    const isIn = written.row > head && written.row < head + rows;
    const isColumn = written.col >= col && written.col < col + cols;
    if (table.sheet !== sheet || !isIn || !isColumn) continue;
    if (typeof held !== "string" || !held.startsWith("=")) continue;
    for (let row = head + 1; row < head + rows; row += 1) {
      if (row >= written.row && row < written.row + written.rows) continue;
      enter(sheet, row, written.col, movedFormula(held, { rows: row - written.row, cols: 0 }));
    }
  }
}

type RangeOf = (sheet: HostSheet, block: Block) => HostObject;
type Kept = Record<string, unknown>;

/** `conditionalFormats` of a range. `rangesOf` makes the `RangeAreas` of blocks. */
export function conditionalFormats(
  sheet: HostSheet,
  block: Block,
  rangesOf: (blocks: readonly Block[]) => HostObject,
): HostObject {
  const entries = (): HostRule[] =>
    sheet.formatting.filter((each): each is HostRule => {
      const own = (each as Partial<HostRule>).rule?.block;
      return own !== undefined && own !== null && isCommon(own, block);
    });
  const find = (id: string): HostObject => {
    const entry = entries().find((each) => idOfRule(each) === id);
    return entry === undefined ? refuse("ItemNotFound") : formatObject(sheet, entry, rangesOf);
  };
  return {
    get items() {
      return entries().map((entry) => formatObject(sheet, entry, rangesOf));
    },
    getItem: find,
    add(kind: string) {
      if (sheet.isProtected) refuse("AccessDenied");
      const entry: HostRule = { kind, rule: { block } };
      sheet.formatting.push(entry);
      return formatObject(sheet, entry, rangesOf);
    },
  };
}

interface HostRule extends Kept {
  readonly kind: string;
  readonly rule: Kept & { block: Block | null };
}

const ruleIds = new WeakMap<object, string>();
let rulesSoFar = 0;

function idOfRule(entry: HostRule): string {
  const id = ruleIds.get(entry) ?? `{rule ${(rulesSoFar += 1)}}`;
  ruleIds.set(entry, id);
  return id;
}

function isCommon(one: Block, other: Block): boolean {
  const isApart = (a: number, size: number, b: number, otherSize: number): boolean =>
    a + size <= b || b + otherSize <= a;
  return (
    !isApart(one.row, one.rows, other.row, other.rows) && !isApart(one.col, one.cols, other.col, other.cols)
  );
}

function formatObject(
  sheet: HostSheet,
  entry: HostRule,
  rangesOf: (blocks: readonly Block[]) => HostObject,
): HostObject {
  const { kind, rule } = entry;
  const kept = (name: string) => ({
    get: () => rule[name] ?? "",
    set(value: unknown) {
      rule[name] = value;
    },
  });
  const look = () => ({
    fill: Object.defineProperty({}, "color", kept("fill")),
    font: Object.defineProperties({}, { color: kept("color"), italic: kept("italic") }),
    borders: { bottom: Object.defineProperties({}, { style: kept("line"), color: kept("lineColor") }) },
  });
  return {
    id: idOfRule(entry),
    type: kind,
    // The newest rule comes first.
    priority: sheet.formatting.length - 1 - sheet.formatting.indexOf(entry),
    getRanges: () => rangesOf(rule.block === null ? [] : [rule.block]),
    delete() {
      if (sheet.isProtected) refuse("AccessDenied");
      sheet.formatting.splice(sheet.formatting.indexOf(entry), 1);
    },
    colorScale: Object.defineProperty({}, "criteria", kept("criteria")),
    dataBar: { positiveFormat: Object.defineProperty({}, "fillColor", kept("color")) },
    custom: { format: look(), rule: Object.defineProperty({}, "formula", kept("formula")) },
    cellValue: Object.defineProperty({ format: look() }, "rule", kept("rule")),
    textComparison: Object.defineProperty({ format: look() }, "rule", kept("rule")),
  };
}

/** Pastes the formats of a whole sheet at the same addresses. Column widths and what isn't a format stay behind. */
export function copyFormats(from: HostSheet, to: HostSheet): void {
  to.formats.push(...from.formats.filter(({ property }) => property !== "columnWidth"));
  const rules = from.formatting.filter(({ rule }) => rule !== undefined);
  to.formatting.push(...rules.map((each) => ({ ...each, rule: { ...(each["rule"] as Kept) } })));
}

/** `tables` of the workbook. */
export function tableCollection(
  tables: HostTable[],
  rangeOf: RangeOf,
  sheetOf: (sheet: HostSheet) => HostObject,
  names: readonly { readonly name: string; readonly scope: HostSheet | null }[],
) {
  const tableObject = (table: HostTable): HostObject => ({
    get name() {
      return table.name;
    },
    set name(name: string) {
      // Tables and the workbook's names share one list of names (documented).
      const isNamed = names.some(
        (each) => each.scope === null && each.name.toLowerCase() === name.toLowerCase(),
      );
      if (isNamed) refuse("InvalidArgument");
      table.name = name;
    },
    set style(style: string) {
      table.sheet.formatting.push({ kind: "table style", style });
    },
    get worksheet() {
      return sheetOf(table.sheet);
    },
    getRange: () => rangeOf(table.sheet, table.block),
    getHeaderRowRange: () => rangeOf(table.sheet, { ...table.block, rows: 1 }),
  });
  return {
    get items() {
      return tables.map(tableObject);
    },
    getItemAt(index: number) {
      const table = tables[index];
      return table === undefined ? refuse("InvalidArgument") : tableObject(table);
    },
    getItemOrNullObject(name: string) {
      const table = tables.find((each) => each.name === name);
      return table === undefined ? null : tableObject(table);
    },
    add(range: { readonly block: Block; readonly sheet: HostSheet }) {
      const table = { name: `Table${tables.length + 1}`, sheet: range.sheet, block: range.block };
      tables.push(table);
      return tableObject(table);
    },
  };
}

export function chartCollection(sheet: HostSheet): HostObject {
  return {
    add(kind: string, range: { readonly block: Block }) {
      const chart: Kept = { kind, data: range.block };
      sheet.formatting.push({ kind: "chart", chart });
      return {
        title: {
          set text(text: string) {
            chart["title"] = text;
          },
        },
        setPosition(first: { readonly block: Block }, last: { readonly block: Block }) {
          chart["over"] = [first.block, last.block];
        },
      };
    },
  };
}

/** `format` of a range. It keeps every value that is set. */
export function rangeFormat(keep: (property: string, value: unknown) => void): HostObject {
  return {
    set horizontalAlignment(value: unknown) {
      keep("align", value);
    },
    set columnWidth(value: unknown) {
      keep("columnWidth", value);
    },
    font: {
      set bold(value: unknown) {
        keep("bold", value);
      },
      set color(value: unknown) {
        keep("color", value);
      },
    },
    fill: {
      set color(value: unknown) {
        keep("fill", value);
      },
    },
  };
}

/** The answer of `getCellProperties`, from the formats that were set. */
export function cellProperties(sheet: HostSheet, block: Block) {
  return contents(sheet, block, "formulas").map((line, r) =>
    line.map((_, c) => {
      const here = (property: string) =>
        sheet.formats.findLast(
          (each) => each.property === property && covers(each.block, block.row + r, block.col + c),
        )?.value;
      return {
        format: {
          fill: { color: here("fill") ?? "#FFFFFF" },
          font: { bold: here("bold") ?? false, color: here("color") ?? "#000000" },
          horizontalAlignment: here("align") ?? "General",
        },
      };
    }),
  );
}

export function columnProperties(sheet: HostSheet, block: Block) {
  return Array.from({ length: block.cols }, (_, c) => {
    const set = sheet.formats.findLast(
      (each) => each.property === "columnWidth" && covers(each.block, each.block.row, block.col + c),
    );
    const isHidden = sheet.hiddenCols.has(block.col + c);
    return { columnHidden: isHidden, format: { columnWidth: isHidden ? 0 : (set?.value ?? 48) } };
  });
}

export function numberFormats(sheet: HostSheet, block: Block): unknown[][] {
  return Array.from({ length: block.rows }, (_, r) =>
    Array.from({ length: block.cols }, (_unused, c) => {
      const set = sheet.formats.findLast(
        (each) => each.property === "numberFormat" && covers(each.block, block.row + r, block.col + c),
      );
      return set?.value ?? "General";
    }),
  );
}

/** A null leaves the cell's format as it is (documented). */
export function setNumberFormats(
  sheet: HostSheet,
  { row, col, rows, cols }: Block,
  formats: readonly (readonly unknown[])[],
): void {
  const [[first] = []] = formats;
  if (formats.flat().every((format) => format === first)) {
    if (first === null) return;
    sheet.formats.push({ block: { row, col, rows, cols }, property: "numberFormat", value: first });
    return;
  }
  for (const [r, line] of formats.entries()) {
    for (const [c, value] of line.entries()) {
      if (value === null) continue;
      const block = { row: row + r, col: col + c, rows: 1, cols: 1 };
      sheet.formats.push({ block, property: "numberFormat", value });
    }
  }
}

function covers({ row, col, rows, cols }: Block, atRow: number, atCol: number): boolean {
  return atRow >= row && atRow < row + rows && atCol >= col && atCol < col + cols;
}
