/**
 * Copies cells for other programs, and pastes copies from them.
 * - Copied texts say that they are texts, because Excel would read `00012345678905` as a number without its zeros. Numbers bring all
 *   their digits. Spilled cells bring their values; the grid would copy them as empty.
 * - A paste reads the text of the copied cells, as Excel reads text. The grid's own reader would parse the copy's HTML, whose styles
 *   the page's Content-Security-Policy refuses, and it loses blank cells of plain text. So the grid's clipboard service gets only its
 *   own copies, and pictures. A paste is one undo step, and during a large paste the page stays usable.
 */
import { type Dependency, ICommandService, type ICellData, type IRange } from "@univerjs/core";
import {
  HTML_CLIPBOARD_MIME_TYPE,
  ISheetClipboardService,
  PLAIN_TEXT_CLIPBOARD_MIME_TYPE,
  SheetClipboardService,
  SheetPasteCommand,
} from "@univerjs/preset-sheets-core";
import { createTaskQueue } from "../../../domain/task-queue";
import { messageOf } from "../../../domain/errors";
import { copiedFormat } from "../../paste/locale-format";
import { type PastedCell, readPlainTable } from "../../paste/plain-table";
import { inSlices } from "../../slices";
import { formulaData, valueData } from "../cell-data";
import { createCellReader, isInRange, type Rectangle } from "../cell-reader";
import type { Grid } from "../grid";
import type { GridWorkbook } from "../grid-workbook";

export function copyOut(grid: Grid): void {
  const reader = createCellReader(grid);
  let copied: { readonly sheetId: string; readonly range: IRange } | null = null;
  const copiedSheet = () =>
    (copied && grid.api.getActiveWorkbook()?.getSheetBySheetId(copied.sheetId)) ?? null;

  grid.injector.get(ISheetClipboardService).addClipboardHook({
    id: "inv-copy",
    onBeforeCopy: (_unitId, sheetId, range) => (copied = { sheetId, range }),
    getCellValueBySpecialMatrix(row, col) {
      const sheet = copiedSheet();
      const origin = copied && reader.spillOrigin(copied.sheetId, row, col);
      if (!copied || !sheet || !origin || (origin.row === row && origin.col === col)) return undefined;
      const at = { row, col, rows: 1, cols: 1 };
      const look = sheet.getSheet().getCellRaw(row, col);
      const displayV = reader.text(sheet, at)[0]?.[0] ?? "";
      // Its formula is copied too, and spills again where it is pasted in the grid.
      if (isInRange(copied.range, origin)) return { ...look, displayV };
      const [v = null] = reader.values(sheet, at).flat();
      const pattern = reader.spilledFormat(sheet, { row, col });
      return { ...look, ...(pattern === null ? {} : { s: { n: { pattern } } }), v, displayV };
    },
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the grid itself uses it, and has no successor.
    onCopyCellStyle(row, col): Record<string, string> | null {
      const sheet = copiedSheet();
      const value = sheet && reader.values(sheet, { row, col, rows: 1, cols: 1 })[0]?.[0];
      if (typeof value === "string") return { style: String.raw`mso-number-format:'\@'` };
      return typeof value === "number" ? { "x:num": String(value) } : null;
    },
    onAfterCopy: () => (copied = null),
  });
}

interface PasteHost {
  readonly grid: Grid;
  readonly workbook: Pick<GridWorkbook, "fill" | "select">;
  /** Shows what could not be pasted completely; "" clears the message. */
  tell(sentence: string): void;
}

interface Target {
  readonly sheetId: string;
  readonly selected: Rectangle;
}

interface Copied {
  readonly html: string;
  readonly text: string;
}

/** Gives the copies of other programs to `pasteText`. */
class OwnPaste extends SheetClipboardService {
  pasteText: (copied: Copied, isFromMenu: boolean) => Promise<boolean> = () => Promise.resolve(false);

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
export const ownPaste: Dependency = [ISheetClipboardService, { useClass: OwnPaste }];

export function pasteFromElsewhere({ grid, workbook, tell }: PasteHost): void {
  const clipboard = grid.injector.get(ISheetClipboardService);
  if (!(clipboard instanceof OwnPaste)) throw new Error("The grid's clipboard is not INV's own.");
  // The menu's paste waits for the browser's permission, so remember the selection at the click.
  let clicked: Target | null = null;
  grid.injector.get(ICommandService).beforeCommandExecuted(({ id }) => {
    if (id === SheetPasteCommand.id) clicked = target();
  });
  // Pastes run one after another, so that a second paste never mixes its rows with a long one.
  const inTurn = createTaskQueue();

  clipboard.pasteText = (copied, isFromMenu) => {
    const into = isFromMenu ? clicked : target();
    return inTurn(() => pasteNow(copied, into));
  };

  function target(): Target | null {
    const sheet = grid.api.getActiveWorkbook()?.getActiveSheet();
    const selected = sheet?.getActiveRange()?.getRange();
    if (!sheet || !selected) return null;
    const { startRow: row, startColumn: col, endRow, endColumn } = selected;
    return {
      sheetId: sheet.getSheetId(),
      selected: { row, col, rows: endRow - row + 1, cols: endColumn - col + 1 },
    };
  }

  async function pasteNow({ html, text }: Copied, into: Target | null): Promise<boolean> {
    try {
      if (text === "") throw new Error("the clipboard contains no text.");
      if (into === null) throw new Error("no cell is selected.");
      const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(into.sheetId)?.getSheetName();
      if (sheet === undefined) throw new Error("their sheet was deleted.");
      const rows: PastedCell[][] = [];
      await inSlices(readPlainTable(text, copiedFormat(html)), (row) => rows.push(row));
      const area = { sheet, ...areaOf(rows, into.selected) };
      await workbook.fill(area, repeated(rows, area));
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

type Rows = readonly (readonly PastedCell[])[];

/** Cells. One cell pasted into a selected whole column should not fill all of it. */
const maxRepeatedCells = 100_000;

/** Returns the selection if it is a multiple of the rows, as in Excel, or else the area that the rows cover. */
function areaOf(rows: Rows, selected: Rectangle): Rectangle {
  const cols = rows.reduce((max, row) => Math.max(max, row.length), 1);
  const { row, col } = selected;
  const repeats = selected.rows % rows.length === 0 && selected.cols % cols === 0;
  const fits = repeats && selected.rows * selected.cols <= maxRepeatedCells;
  return fits ? selected : { row, col, rows: rows.length, cols };
}

/** Rows shorter than the longest end in blank cells. */
function repeated(rows: Rows, area: Rectangle): ICellData[][] {
  const cols = rows.reduce((max, row) => Math.max(max, row.length), 1);
  return Array.from({ length: area.rows }, (_, down) => {
    const row = rows[down % rows.length] ?? [];
    return Array.from({ length: area.cols }, (_unused, right) => dataOf(row[right % cols]));
  });
}

function dataOf({ value, isFormula, numberFormat }: PastedCell = { value: null }): ICellData {
  const content = isFormula && typeof value === "string" ? formulaData(value) : valueData(value);
  return numberFormat === undefined ? content : { ...content, s: { n: { pattern: numberFormat } } };
}

function cutOffSentence(rows: Rows): string {
  const count = rows.reduce((sum, row) => sum + row.filter((cell) => cell.isCutOff).length, 0);
  if (count === 0) return "";
  const cells = count === 1 ? "1 pasted cell contains" : `${count.toLocaleString()} pasted cells contain`;
  return `${cells} what a narrow column showed (#### or 1.23E+13), not the number. Widen the column there, or give it a number format, and copy again.`;
}
