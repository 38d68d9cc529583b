/**
 * Tests the patched members whose effect isn't a calculated value (`calculation/engine-runs-check` has the others), with the grid's
 * real code. It runs in its own process. On failure it exits with 1 and the reason.
 */
import { deepStrictEqual } from "node:assert/strict";
import {
  CellValueType,
  Direction,
  HorizontalAlign,
  type IRange,
  RedoCommand,
  UndoCommand,
  WrapStrategy,
} from "@univerjs/core";
import {
  copyRangeStyles,
  EffectRefRangId,
  Font,
  FormulaRefRangeService,
  InsertColByRangeCommand,
  InsertRowByRangeCommand,
  INTERCEPTOR_POINT,
  InsertSheetCommand,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { patchMovedRules } from "../../../../src/browser-workbook/univer/patches/patch-moved-rules";
import { patchNumberDrawing } from "../../../../src/browser-workbook/univer/patches/patch-number-drawing";
import { groupUndo } from "../../../../src/browser-workbook/univer/patches/patch-undo-groups";
import { createBed } from "../calculation/engine-bed";

// Several commands are one undo step, whose last command is undone first: the cell is written before its sheet is there again
// otherwise.
const bed = createBed(["Mine"], () => Promise.resolve({ kind: "value", value: 7 }));
const before = bed.values();
const group = groupUndo(bed);
bed.write("Mine", [0, 0], "before");
bed.command(InsertSheetCommand.id, {
  index: 1,
  sheet: { id: "new", name: "New", rowCount: 10, columnCount: 10 },
});
bed.write("new", [2, 1], "inside");
bed.write("Mine", [1, 0], "after");
group.dispose();
const written = { "Mine!A1": "before", "Mine!A2": "after", "New!B3": "inside" };
deepStrictEqual(bed.values(), written);
bed.command(UndoCommand.id);
deepStrictEqual(bed.values(), before);
bed.command(RedoCommand.id);
deepStrictEqual(bed.values(), written);

// Rows inserted in a colored range become part of it, and its formula stays that of its first cell. One before it moves it.
patchMovedRules(bed);
const colored = { startRow: 1, endRow: 9, startColumn: 7, endColumn: 7 };

function afterInsert(id: string, direction: Direction, inserted: IRange): unknown {
  const found: unknown[] = [];
  const rules = bed.injector.get(FormulaRefRangeService);
  const watch = rules.registerRangeFormula("book", "Mine", [colored], ['=$H2="order"'], (parts) => {
    for (const { ranges, formulas } of parts) found.push([ranges, formulas]);
    return { undos: [], redos: [] };
  });
  bed.command(id, { subUnitId: "Mine", direction, range: inserted });
  watch.dispose();
  bed.command(UndoCommand.id);
  return found;
}

const row = (startRow: number, endRow: number): IRange => ({
  startRow,
  endRow,
  startColumn: 0,
  endColumn: 29,
});
const rowsBefore = (first: number, last: number): unknown =>
  afterInsert(InsertRowByRangeCommand.id, Direction.UP, row(first, last));
deepStrictEqual(rowsBefore(4, 5), [[[{ ...colored, endRow: 11 }], ['=$H2="order"']]]);
deepStrictEqual(rowsBefore(1, 1), [[[{ ...colored, startRow: 2, endRow: 10 }], ['=$H3="order"']]]);
deepStrictEqual(rowsBefore(0, 0), [[[{ ...colored, startRow: 2, endRow: 10 }], ['=$H3="order"']]]);
const column = { startRow: 0, endRow: 99, startColumn: 7, endColumn: 7 };
deepStrictEqual(afterInsert(InsertColByRangeCommand.id, Direction.LEFT, column), [
  [[{ ...colored, startColumn: 8, endColumn: 8 }], ['=$I2="order"']],
]);

// What is inserted gets the formats of the cells before it, but not what the rules show there at the moment.
const sheet = bed.api.getActiveWorkbook()!.getSheetByName("Mine")!.getSheet();
sheet.getCellMatrix().setValue(0, 1, { v: 1, s: { fs: 12 } });
bed.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
  handler: (cell, _, next) => next({ ...cell, s: { bg: { rgb: "#fff3cd" } } }),
});
deepStrictEqual(copyRangeStyles(sheet, 1, 1, 0, 3, true, 0), { 1: { 1: { s: { fs: 12 } } } });

const removed = { id: EffectRefRangId.RemoveColCommandId, params: { range: column } };
const follow = bed.injector.get(FormulaRefRangeService);
const left = follow.transformFormulaByEffectCommand("book", "Mine", "=OR($H2,J$2:$K2,Mine!$J2)", removed);
deepStrictEqual(left, "=OR(#REF!,I$2:$J2,Mine!$I2)");

// A number is drawn whole, with fewer decimals, or as ####. Each letter of this canvas is 10 pixels wide.
const drawn: string[] = [];
const canvas = {
  save: () => undefined,
  restore: () => undefined,
  fillText: (text: string) => drawn.push(text),
  measureText: (text: string) => ({
    ...{ width: 10 * text.length, fontBoundingBoxAscent: 8, fontBoundingBoxDescent: 2 },
    ...{ actualBoundingBoxAscent: 8, actualBoundingBoxDescent: 2 },
  }),
};
Object.assign(globalThis, { document: { createElement: () => ({ getContext: () => canvas }) } });
const cut: unknown[] = [];
patchNumberDrawing(({ row, col, widthPx }) => cut.push([row, col, widthPx]));

function drawnIn(widthPx: number, v: unknown, t: CellValueType, pattern?: string): readonly string[] {
  const style = pattern === undefined ? null : { n: { pattern } };
  const fontCache = {
    fontString: "10pt Arial",
    ...{ wrapStrategy: WrapStrategy.UNSPECIFIED, horizontalAlign: HorizontalAlign.UNSPECIFIED },
    ...{ vertexAngle: 0, style, cellData: { v, t } },
  };
  const place = { startX: 0, endX: widthPx, startY: 0, endY: 20 };
  const context = { ...place, spreadsheetSkeleton: { worksheet: {} }, fontCache };
  const draw = Font.prototype as unknown as { _renderText(...args: unknown[]): void };
  drawn.length = 0;
  draw._renderText(canvas, 4, 2, context, null);
  // The cell itself is as before.
  deepStrictEqual(context.fontCache, fontCache);
  return [...drawn];
}

const { NUMBER, STRING } = CellValueType;
deepStrictEqual(drawnIn(114, 12345678905, NUMBER), ["12345678905"]);
deepStrictEqual(drawnIn(94, 12345678905, NUMBER), ["#########"]);
deepStrictEqual(cut, [[4, 2, 120]]);
deepStrictEqual(drawnIn(64, 3.14159265, NUMBER), ["3.1416"]);
deepStrictEqual(drawnIn(44, "12.50", NUMBER, "0.00"), ["####"]);
deepStrictEqual(drawnIn(44, "00012345678905", STRING), ["00012345678905"]);
// Excel, too, shows only the beginning of a long text.
deepStrictEqual(drawnIn(44, "y".repeat(32_767), STRING), ["y".repeat(1_024)]);
deepStrictEqual(drawnIn(44, `#${"y".repeat(2_000)}`, STRING)[0]?.length, 1_024);
deepStrictEqual(cut.length, 2);
process.exit();
