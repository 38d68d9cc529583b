/**
 * Another person's edits of the tests' Excel while INV works: rows and columns are inserted, deleted and moved, cells are
 * typed into, and sheets are renamed and copied. Cells move, and the references of all names follow, as in Excel. A copied
 * sheet gets its own names (documented). Headings stay, because a column whose heading is deleted belongs to no test.
 */
import { columnIndex, columnName } from "../../src/formula/columns";
import type { NodeExcel } from "./excel-in-node";
import { type Cell, type HostSheet, newSheet } from "./sheet";

export type OtherEdit =
  | { readonly kind: "insert" | "delete"; readonly what: "row" | "col"; readonly at: number }
  | { readonly kind: "swap"; readonly rows: readonly [number, number] }
  | { readonly kind: "type"; readonly row: number; readonly col: number; readonly text: string }
  | { readonly kind: "rename" }
  | { readonly kind: "copy" };

export interface OtherPerson {
  /** Edits the first sheet whose name starts with `sheet`, if one exists. */
  edit(sheet: string, edit: OtherEdit): void;
  /** Values that are gone because the person deleted them or typed over them. */
  readonly destroyed: Set<string>;
  readonly typed: Set<string>;
}

export function createOtherPerson(excel: NodeExcel, headings: readonly string[]): OtherPerson {
  const destroyed = new Set<string>();
  const typed = new Set<string>();
  const isHeading = (cell: Cell): boolean => typeof cell === "string" && headings.includes(cell);

  function edit(prefix: string, change: OtherEdit): void {
    const sheet = excel.sheets.find(({ name }) => name.startsWith(prefix));
    if (sheet === undefined) return;
    if (change.kind === "rename") {
      renameSheet(excel, sheet, `${prefix} ${excel.sheets.length}${sheet.name.length}`);
    } else if (change.kind === "copy") copy(excel, sheet);
    else if (change.kind === "swap") swap(sheet, change.rows);
    else if (change.kind === "type") type(sheet, change);
    else shift(sheet, change);
  }

  function swap(sheet: HostSheet, [one, other]: readonly [number, number]): void {
    const lines = [one, other].map((row) => sheet.cells.get(row) ?? new Map<number, Cell>());
    const [first, second] = lines;
    if (first === undefined || second === undefined) return;
    const rowsBelow = [...sheet.cells].filter(([row]) => row >= Math.min(one, other));
    if (rowsBelow.some(([, line]) => [...line.values()].some(isHeading))) return;
    sheet.cells.set(one, second).set(other, first);
  }

  function type(sheet: HostSheet, { row, col, text }: Extract<OtherEdit, { kind: "type" }>): void {
    const line = sheet.cells.get(row) ?? new Map<number, Cell>();
    const before = line.get(col);
    if (before !== undefined && isHeading(before)) return;
    if (before !== undefined) destroyed.add(textOfCell(before));
    destroyed.delete(text);
    typed.add(text);
    sheet.cells.set(row, line.set(col, text));
  }

  function shift(sheet: HostSheet, { kind, what, at }: Extract<OtherEdit, { what: string }>): void {
    const cells = [...sheet.cells].flatMap(([row, line]) =>
      [...line].map(([col, cell]) => ({ row, col, cell })),
    );
    const gone = cells.filter((each) => kind === "delete" && each[what] === at);
    if (gone.some(({ cell }) => isHeading(cell))) return;
    for (const { cell } of gone) destroyed.add(textOfCell(cell));
    sheet.cells.clear();
    const by = kind === "insert" ? 1 : -1;
    const first = kind === "insert" ? at : at + 1;
    const moved = (index: number): number => (index >= first ? index + by : index);
    for (const each of cells.filter((one) => !gone.includes(one))) {
      const row = what === "row" ? moved(each.row) : each.row;
      const col = what === "col" ? moved(each.col) : each.col;
      const line = sheet.cells.get(row) ?? new Map<number, Cell>();
      sheet.cells.set(row, line.set(col, each.cell));
    }
    for (const name of excel.names) {
      name.formula = onSheet(name.formula, sheet.name, (corner, which) => {
        const index = corner[what];
        // If an area loses its last line, the line before becomes its last.
        const isLast = kind === "delete" && which === "last" && index === at;
        return { ...corner, [what]: isLast ? index - 1 : moved(index) };
      });
    }
  }

  return { edit, destroyed, typed };
}

interface Corner {
  readonly row: number;
  readonly col: number;
}

/** The formula with its references to the sheet changed. */
function onSheet(
  formula: string,
  sheet: string,
  change: (corner: Corner, which: "first" | "last") => Corner,
): string {
  return formula.replace(
    /('(?:[^']|'')+'|[\w.]+)!\$([A-Z]+)\$(\d+)(?::\$([A-Z]+)\$(\d+))?/g,
    (reference, on: string, left: string, top: string, right?: string, bottom?: string) => {
      if (on.replace(/^'|'$/g, "") !== sheet) return reference;
      const first = change({ row: Number(top) - 1, col: columnIndex(left) }, "first");
      if (right === undefined) return `${on}!${textOf(first)}`;
      const last = change({ row: Number(bottom) - 1, col: columnIndex(right) }, "last");
      return last.row < first.row || last.col < first.col
        ? `${on}!#REF!`
        : `${on}!${textOf(first)}:${textOf(last)}`;
    },
  );
}

function textOfCell(cell: Cell): string {
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

function textOf({ row, col }: Corner): string {
  return `$${columnName(col)}$${row + 1}`;
}

function renameSheet(excel: NodeExcel, sheet: HostSheet, to: string): void {
  for (const name of excel.names) name.formula = name.formula.replaceAll(`'${sheet.name}'!`, `'${to}'!`);
  sheet.name = to;
}

function copy(excel: NodeExcel, sheet: HostSheet): void {
  const twin = newSheet(`Copy ${excel.sheets.length} of ${sheet.name}`);
  for (const [row, line] of sheet.cells) twin.cells.set(row, new Map(line));
  excel.sheets.push(twin);
  const own = excel.names.filter(({ formula }) => formula.includes(`'${sheet.name}'!`));
  for (const each of own) {
    const formula = each.formula.replaceAll(`'${sheet.name}'!`, `'${twin.name}'!`);
    excel.names.push({ ...each, scope: twin, formula });
  }
}
