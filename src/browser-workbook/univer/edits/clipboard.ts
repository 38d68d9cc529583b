/**
 * Copies cells for other programs, and pastes copies from them.
 * - What other programs get is written by paste/copied-table.ts. Spilled cells bring their values; the grid would copy them as empty.
 * - A paste reads the text of the copied cells, as Excel reads text. The grid's own reader would parse the copy's HTML, whose styles
 *   the page's Content-Security-Policy refuses, and it loses blank cells of plain text. So the grid's clipboard service gets only its
 *   own copies, and pictures. A paste is one undo step, and during a large paste the page stays usable.
 */
import { type Dependency, ICommandService, type ICellData, type IRange, isTextFormat } from "@univerjs/core";
import {
  type FWorksheet,
  HTML_CLIPBOARD_MIME_TYPE,
  ISheetClipboardService,
  PLAIN_TEXT_CLIPBOARD_MIME_TYPE,
  PREDEFINED_HOOK_NAME_COPY,
  SheetClipboardService,
  SheetPasteCommand,
} from "@univerjs/preset-sheets-core";
import { counted } from "../../../domain/number-words";
import { messageOf } from "../../../domain/errors";
import { createTaskQueue } from "../../../domain/task-queue";
import type { CellArea } from "../../../formula/cells";
import { withKind } from "../../../workbook/cell-content";
import { inTimeSlices } from "../../../workbook/in-time-slices";
import { pageTurns } from "../../page-turns";
import { copiedHtml, copiedText } from "../../paste/copied-table";
import { copiedFormat } from "../../paste/locale-format";
import { type PastedCell, readPlainTable } from "../../paste/plain-table";
import { formulaData, valueData } from "../cell-data";
import { type CellReader, createCellReader, isInRange } from "../cell-reader";
import type { Grid } from "../grid";
import { selectionOf } from "../grid-selection";
import type { GridWorkbook } from "../grid-workbook";

interface CopyContent {
  readonly copyId: string;
  /** The copied rows and columns, without the rows that a filter hides. */
  readonly discreteRange: { readonly rows: readonly number[]; readonly cols: readonly number[] };
}

/** Gives the text and HTML of copied cells; null if their sheet is gone. */
interface CopyWriter {
  written(sheetId: string, content: CopyContent): { readonly plain: string; readonly html: string } | null;
}

export function copyOut(grid: Grid): void {
  const clipboard = ownClipboard(grid);
  const reader = createCellReader(grid);
  const sheetOf = (id: string) => grid.api.getActiveWorkbook()?.getSheetBySheetId(id) ?? null;
  let copied: {
    readonly sheet: FWorksheet;
    readonly range: IRange;
    readonly origins: ReturnType<CellReader["spillOrigins"]>;
  } | null = null;

  clipboard.addClipboardHook({
    id: "inv-copy",
    onBeforeCopy(_unitId, sheetId, range) {
      const sheet = sheetOf(sheetId);
      copied = sheet && { sheet, range, origins: reader.spillOrigins(sheetId, rectangleOf(range)) };
    },
    // Cells that are pasted in the grid. The grid itself would take a spilled cell for a blank one.
    getCellValueBySpecialMatrix(row, col) {
      const origin = copied?.origins.get(`${row}:${col}`);
      if (!copied || !origin || (origin.row === row && origin.col === col)) return undefined;
      const { sheet, range } = copied;
      const look = sheet.getSheet().getCellRaw(row, col);
      // Its formula is copied too, and spills again where it is pasted.
      if (isInRange(range, origin)) return { ...look };
      const [v = null] = reader.values(sheet, { row, col, rows: 1, cols: 1 }).flat();
      const pattern = reader.spilledFormat(sheet, { row, col });
      return { ...look, ...(pattern === null ? {} : { s: { n: { pattern } } }), v };
    },
    onAfterCopy: () => (copied = null),
  });

  clipboard.copyWriter = {
    written(sheetId, { copyId, discreteRange: { rows, cols } }) {
      const sheet = sheetOf(sheetId);
      const [col = 0] = cols;
      if (sheet === null) return null;
      const cells = rows.map((row) => {
        const at = { row, col, rows: 1, cols: cols.length };
        const [texts = []] = reader.text(sheet, at);
        const formats = cols.map((each) => reader.numberFormat(sheet, { row, col: each }));
        return (reader.values(sheet, at)[0] ?? []).map((value, right) => ({
          value: withKind(value),
          text: texts[right] ?? "",
          numberFormat: formats[right] ?? null,
        }));
      });
      return { plain: copiedText(cells), html: copiedHtml(cells, copyId) };
    },
  };
}

interface PasteHost {
  readonly grid: Grid;
  readonly workbook: Pick<GridWorkbook, "fill" | "select">;
  /** Shows what could not be pasted completely; "" clears the message. */
  tell(sentence: string): void;
}

interface Target {
  readonly sheetId: string;
  readonly selected: CellArea;
}

interface Copied {
  readonly html: string;
  readonly text: string;
}

/** Gives the copies of other programs to `pasteText`, and writes those for other programs with `copyWriter`. */
class OwnClipboard extends SheetClipboardService {
  copyWriter: CopyWriter = { written: () => null };
  pasteText: (copied: Copied, isFromMenu: boolean) => Promise<boolean> = () => Promise.resolve(false);

  override generateCopyContent(...given: Parameters<SheetClipboardService["generateCopyContent"]>) {
    const content = super.generateCopyContent(...given);
    const [, sheetId, , options] = given;
    // Formulas are copied for the grid alone.
    const isForGrid = options?.copyHookType === PREDEFINED_HOOK_NAME_COPY.SPECIAL_COPY_FORMULA_ONLY;
    if (!content || isForGrid) return content;
    return { ...content, ...this.copyWriter.written(sheetId, content) };
  }

  override legacyPaste(html = "", text = "", files?: File[]): Promise<boolean> {
    return this.#isOwn(html) || (text === "" && files !== undefined)
      ? super.legacyPaste(html, text, files)
      : this.pasteText({ html, text }, false);
  }

  override async paste(...given: Parameters<SheetClipboardService["paste"]>): Promise<boolean> {
    const [item] = given;
    const read = async (type: string) => (item.types.includes(type) ? (await item.getType(type)).text() : "");
    const html = await read(HTML_CLIPBOARD_MIME_TYPE);
    const text = await read(PLAIN_TEXT_CLIPBOARD_MIME_TYPE);
    if (this.#isOwn(html) || text === "") return super.paste(...given);
    return this.pasteText({ html, text }, true);
  }

  #isOwn(html: string): boolean {
    const id = /data-copy-id="([^\s"]+)"/.exec(html)?.[1];
    return id !== undefined && this.copyContentCache().get(id) !== undefined;
  }
}

/** For the configuration of the grid's sheets. */
export const ownClipboardService: Dependency = [ISheetClipboardService, { useClass: OwnClipboard }];

function ownClipboard({ injector }: Grid): OwnClipboard {
  const clipboard = injector.get(ISheetClipboardService);
  if (!(clipboard instanceof OwnClipboard)) throw new Error("The grid's clipboard is not INV's own.");
  return clipboard;
}

export function pasteFromElsewhere({ grid, workbook, tell }: PasteHost): void {
  const clipboard = ownClipboard(grid);
  // The menu's paste waits for the browser's permission, so remember the selection at the click.
  let clicked = target();
  grid.injector.get(ICommandService).beforeCommandExecuted(({ id }) => {
    if (id === SheetPasteCommand.id) clicked = target();
  });
  const reader = createCellReader(grid);
  // Pastes run one after another, so that a second paste never mixes its rows with a long one.
  const inTurn = createTaskQueue();

  clipboard.pasteText = (copied, isFromMenu) => {
    const into = isFromMenu ? clicked : target();
    return inTurn(() => pasteNow(copied, into));
  };

  function target(): Target {
    const { sheet, active } = selectionOf(grid);
    return { sheetId: sheet.getSheetId(), selected: active };
  }

  async function pasteNow({ html, text }: Copied, into: Target): Promise<boolean> {
    try {
      if (text === "") throw new Error("the clipboard contains no text.");
      const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(into.sheetId);
      if (!sheet) throw new Error("their sheet was deleted.");
      const rows: PastedCell[][] = [];
      await inTimeSlices(pageTurns, readPlainTable(text, copiedFormat(html)), {
        visit: (row) => rows.push(row),
        size: rowsAtOnce,
      });
      const area = { sheet: sheet.getSheetName(), ...areaOf(rows, into.selected) };
      const isForText = (row: number, col: number): boolean =>
        isTextFormat(reader.numberFormat(sheet, { row, col }) ?? "");
      await workbook.fill(area, repeated(rows, area, isForText));
      // Don't move a person who has gone on to another sheet or cell.
      if (JSON.stringify(target()) === JSON.stringify(into)) await workbook.select(area);
      tell(cutOffSentence(rows));
      return true;
    } catch (error) {
      tell(`The copied cells couldn't be pasted: ${messageOf(error)}`);
      return false;
    }
  }
}

function rectangleOf({ startRow, startColumn, endRow, endColumn }: IRange): CellArea {
  return {
    row: startRow,
    col: startColumn,
    rows: endRow - startRow + 1,
    cols: endColumn - startColumn + 1,
  };
}

type Rows = readonly (readonly PastedCell[])[];

/** Cells. One cell pasted into a selected whole column should not fill all of it. */
const maxRepeatedCells = 100_000;
/** Reading this many rows of a usual width takes about 10 ms. */
const rowsAtOnce = 500;

/** Returns the selection if it is a multiple of the rows, as in Excel, or else the area that the rows cover. */
function areaOf(rows: Rows, selected: CellArea): CellArea {
  const cols = rows.reduce((max, row) => Math.max(max, row.length), 1);
  const { row, col } = selected;
  const repeats = selected.rows % rows.length === 0 && selected.cols % cols === 0;
  const fits = repeats && selected.rows * selected.cols <= maxRepeatedCells;
  return fits ? selected : { row, col, rows: rows.length, cols };
}

/**
 * Rows shorter than the longest end in blank cells.
 * @param isForText whether a cell takes everything as text, as in Excel
 */
function repeated(
  rows: Rows,
  area: CellArea,
  isForText: (row: number, col: number) => boolean,
): ICellData[][] {
  const cols = rows.reduce((max, row) => Math.max(max, row.length), 1);
  return Array.from({ length: area.rows }, (_, down) => {
    const row = rows[down % rows.length] ?? [];
    return Array.from({ length: area.cols }, (_unused, right) => {
      const cell = row[right % cols];
      return dataOf(cell, cell !== undefined && isForText(area.row + down, area.col + right));
    });
  });
}

function dataOf(cell: PastedCell | undefined, isText: boolean): ICellData {
  const { value, isFormula, numberFormat, text } = cell ?? { value: null, text: "" };
  if (value === null || isText) return valueData(value === null ? null : text);
  const content = isFormula && typeof value === "string" ? formulaData(value) : valueData(value);
  return numberFormat === undefined ? content : { ...content, s: { n: { pattern: numberFormat } } };
}

function cutOffSentence(rows: Rows): string {
  const cut = rows.reduce((sum, row) => sum + row.filter((cell) => cell.isCutOff).length, 0);
  if (cut === 0) return "";
  return `${counted(cut, "pasted cell contains", "pasted cells contain")} what a narrow column showed (#### or 1.23E+13), not the number. Widen the column there, or give it a number format, and copy again.`;
}
