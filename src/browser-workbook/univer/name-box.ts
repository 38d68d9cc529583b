/**
 * The box left of the formula bar: Enter selects the cells or the name in it. The grid's own handler ignores the sheet of
 * a reference and selects those cells of the sheet in view, and says nothing about a name that it doesn't know. So it
 * doesn't get the key.
 */
import type { FWorkbook, FWorksheet } from "@univerjs/preset-sheets-core";
import { columnName } from "../../formula/columns";
import { referenceIn, sheetNamed } from "../../formula/references";
import type { Area } from "../../workbook/port";
import type { Grid } from "./grid";
import { namesIn } from "./defined-names";

export interface NameBoxHost {
  readonly grid: Grid;
  select(area: Area): Promise<void>;
  focusCells(): void;
  /** Shows why nothing was selected. */
  tell(sentence: string): void;
}

type Destination = { readonly area: Area } | { readonly problem: string };

export function bindNameBox(container: HTMLElement, { grid, select, focusCells, tell }: NameBoxHost): void {
  container.addEventListener(
    "keydown",
    (event) => {
      const box = event.target;
      const isBox = box instanceof HTMLInputElement && box.closest("[data-u-comp='defined-name']") !== null;
      if (event.key !== "Enter" || event.isComposing || !isBox) return;
      event.preventDefault();
      event.stopPropagation();
      const book = grid.api.getActiveWorkbook();
      if (!book) return;
      const destination = destinationOf(book, box.value.trim());
      if ("problem" in destination) {
        tell(destination.problem);
        box.select();
        return;
      }
      void select(destination.area).then(focusCells);
    },
    true,
  );
}

function destinationOf(book: FWorkbook, text: string): Destination {
  const formula = formulaNamed(book, text);
  const written = formula?.slice(1) ?? text;
  const sheetEnd = written.lastIndexOf("!");
  const reference = referenceIn(written.slice(sheetEnd + 1));
  if (formula !== null && reference === null) {
    return { problem: `"${text}" names a formula, not fixed cells: ${formula}` };
  }
  if (reference === null || reference.isSpilled) {
    return {
      problem: `"${text}" isn't a cell or a name in this workbook. Type a cell such as B7 or Plan!B7.`,
    };
  }
  const wanted = sheetEnd === -1 ? null : sheetNamed(written.slice(0, sheetEnd + 1));
  const sheet = wanted === null ? book.getActiveSheet() : sheetOf(book, wanted);
  if (sheet === null) return { problem: `There is no sheet "${wanted}".` };
  const name = sheet.getSheetName();
  if (sheet.isSheetHidden()) {
    return { problem: `The sheet "${name}" is hidden. Show it to select its cells.` };
  }
  const [maxRows, maxCols] = [sheet.getMaxRows(), sheet.getMaxColumns()];
  const { row, col } = reference;
  if (row >= maxRows || col >= maxCols) {
    const last = `${columnName(maxCols - 1)}${maxRows}`;
    return { problem: `${reference.text} is outside the sheet "${name}", which ends at ${last}.` };
  }
  // A whole column or row ends where the sheet ends.
  const [rows, cols] = [Math.min(reference.rows, maxRows - row), Math.min(reference.cols, maxCols - col)];
  return { area: { sheet: name, row, col, rows, cols } };
}

/** The formula of a name that is visible from the sheet in view; null if there is none. */
function formulaNamed(book: FWorkbook, text: string): string | null {
  const active = book.getActiveSheet().getSheetName();
  const named = namesIn(book).filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  const found = named.find(({ sheet }) => sheet === active) ?? named.find(({ sheet }) => sheet === null);
  return found?.formula ?? null;
}

function sheetOf(book: FWorkbook, wanted: string): FWorksheet | null {
  const sheets = book.getSheets();
  return sheets.find((sheet) => sheet.getSheetName().toLowerCase() === wanted.toLowerCase()) ?? null;
}
