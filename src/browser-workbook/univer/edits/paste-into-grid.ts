/**
 * Pastes a copy from another program. The grid's own reader needs styles that the page's Content-Security-Policy
 * refuses, and it loses blank cells of plain text. So the grid's clipboard service gets only its own copies, and
 * pictures. A paste is one undo step, and during a large paste the page stays usable.
 */
import { ICommandService } from "@univerjs/core";
import {
  HTML_CLIPBOARD_MIME_TYPE,
  ISheetClipboardService,
  PLAIN_TEXT_CLIPBOARD_MIME_TYPE,
  SheetPasteCommand,
} from "@univerjs/preset-sheets-core";
import { messageOf } from "../../../domain/errors";
import { readHtmlTable } from "../../paste/html-table";
import type { PastedCell } from "../../paste/pasted-table";
import { readPlainTable } from "../../paste/plain-table";
import { systemFormat } from "../../paste/locale-format";
import { inSlices } from "../../slices";
import type { Grid } from "../create-grid";
import { pasteTarget, type PasteTarget, writePasted } from "./write-pasted";

/** @param tell shows what could not be pasted completely; "" clears the message */
export function pasteFromElsewhere(grid: Grid, tell: (sentence: string) => void): void {
  const clipboard = grid.injector.get(ISheetClipboardService);
  const pasteOwn = clipboard.legacyPaste.bind(clipboard);
  const pasteItem = clipboard.paste.bind(clipboard);
  // The menu's paste waits for the browser's permission, so remember the selection at the click.
  let clicked: PasteTarget | null = null;
  grid.injector.get(ICommandService).beforeCommandExecuted(({ id }) => {
    if (id === SheetPasteCommand.id) clicked = pasteTarget(grid);
  });
  // Pastes run one after another, so that a second paste never mixes its rows with a long one.
  let before: Promise<unknown> = Promise.resolve();

  clipboard.legacyPaste = (html, text, files) => {
    if (isOwn(html) || (files !== undefined && !hasTable(html))) return pasteOwn(html, text, files);
    return paste({ html: html ?? "", text: text ?? "" }, pasteTarget(grid));
  };
  clipboard.paste = async (item, kind) => {
    const target = clicked ?? pasteTarget(grid);
    clicked = null;
    const read = async (type: string) => (item.types.includes(type) ? (await item.getType(type)).text() : "");
    const html = await read(HTML_CLIPBOARD_MIME_TYPE);
    const text = await read(PLAIN_TEXT_CLIPBOARD_MIME_TYPE);
    if (isOwn(html) || (html === "" && text === "")) return pasteItem(item, kind);
    return paste({ html, text }, target);
  };

  function isOwn(html: string | undefined): boolean {
    const id = /data-copy-id="([^\s"]+)"/.exec(html ?? "")?.[1];
    return id !== undefined && clipboard.copyContentCache().get(id) !== undefined;
  }

  function paste(copied: Copied, target: PasteTarget | null): Promise<boolean> {
    const done = before.then(() => pasteNow(copied, target));
    before = done;
    return done;
  }

  async function pasteNow(copied: Copied, target: PasteTarget | null): Promise<boolean> {
    try {
      if (target === null) throw new Error("No cell is selected.");
      const rows = await readRows(copied);
      if (rows.length === 0) {
        tell("Nothing was pasted: the clipboard holds no text and no cells.");
        return false;
      }
      const isWhole = await writePasted(grid, { rows, target });
      tell(isWhole ? cutOffSentence(rows) : "Pasting ended early, because the sheet is gone.");
      return isWhole;
    } catch (error) {
      tell(`What was copied could not be pasted: ${messageOf(error)}`);
      return false;
    }
  }
}

interface Copied {
  readonly html: string;
  readonly text: string;
}

async function readRows({ html, text }: Copied): Promise<(readonly PastedCell[])[]> {
  const locale = systemFormat();
  const table =
    (html === "" ? null : readHtmlTable(html, locale)) ?? (text === "" ? null : readPlainTable(text, locale));
  const rows: (readonly PastedCell[])[] = [];
  await inSlices(table?.rows ?? [], (row) => rows.push(row));
  return rows;
}

function cutOffSentence(rows: readonly (readonly PastedCell[])[]): string {
  const count = rows.reduce((sum, row) => sum + row.filter((cell) => cell.isCutOff).length, 0);
  if (count === 0) return "";
  const cells = count === 1 ? "1 pasted cell holds" : `${count.toLocaleString("en")} pasted cells hold`;
  return `${cells} what a narrow column showed (#### or 1.23E+13), not the number. Widen the column there, or give it a number format, and copy again.`;
}

function hasTable(html: string | undefined): boolean {
  return /<table\b/i.test(html ?? "");
}
