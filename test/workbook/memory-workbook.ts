/**
 * A workbook in memory for tests of what is built over the port: keeps cells, formats and sheets, finds
 * formulas, and hands recalculated cells to a listener. It calculates nothing.
 */
import { cellKey, contains } from "../../src/workbook/addresses";
import type {
  Area,
  CellFormat,
  CellRef,
  CellValue,
  FormulaCell,
  SelectedAreas,
  SheetInfo,
  Workbook,
} from "../../src/workbook/port";

export interface MemoryWorkbook extends Workbook {
  readonly cells: Map<string, CellValue>;
  readonly formats: { readonly area: Area; readonly format: CellFormat }[];
  readonly frozen: Map<string, number>;
  readonly recalculated: CellRef[][];
  selection: SelectedAreas | null;
  /** Runs in the place of the host's calculation. */
  onRecalculate: (cells: readonly CellRef[]) => void | Promise<void>;
  put(ref: CellRef, value: CellValue): void;
  /** Where formulas were looked for, in order; null for the whole workbook. */
  readonly looks: (readonly Area[] | null)[];
  /** Tells of an edit, as the host does after it. */
  tellEdit(areas: readonly Area[] | null): void;
}

export function createMemoryWorkbook(sheetNames: readonly string[] = []): MemoryWorkbook {
  const sheets: SheetInfo[] = sheetNames.map((name) => ({ name, visible: true }));
  const cells = new Map<string, CellValue>();
  const refs = new Map<string, CellRef>();
  const settings = new Map<string, string>();
  const listeners = new Set<(areas: SelectedAreas) => void>();
  const editListeners: ((areas: readonly Area[] | null) => void)[] = [];
  const workbook: MemoryWorkbook = {
    cells,
    formats: [],
    looks: [],
    tellEdit(areas) {
      for (const listener of editListeners) listener(areas);
    },
    frozen: new Map(),
    recalculated: [],
    selection: null,
    onRecalculate: () => undefined,
    put(ref, value) {
      cells.set(cellKey(ref), value);
      refs.set(cellKey(ref), ref);
    },
    sheets: async () => [...sheets],
    async addSheet(name, options) {
      const taken = sheets.map((sheet) => sheet.name);
      let free = name;
      for (let number = 2; taken.includes(free); number += 1) free = `${name} ${number}`;
      sheets.push({ name: free, visible: true });
      workbook.frozen.set(free, options?.frozenRows ?? 0);
      return free;
    },
    async read(area) {
      const row = (r: number) =>
        Array.from({ length: area.cols }, (_, c) => {
          return cells.get(cellKey({ sheet: area.sheet, row: area.row + r, col: area.col + c })) ?? null;
        });
      return Array.from({ length: area.rows }, (_, r) => row(r));
    },
    async write(area, values) {
      expect(values).toHaveLength(area.rows);
      for (const [r, line] of values.entries()) {
        expect(line).toHaveLength(area.cols);
        for (const [c, value] of line.entries()) {
          workbook.put({ sheet: area.sheet, row: area.row + r, col: area.col + c }, value);
        }
      }
    },
    async format(area, format) {
      workbook.formats.push({ area, format });
    },
    async findFormulas(matches, within) {
      workbook.looks.push(within ?? null);
      const found: FormulaCell[] = [];
      for (const [key, value] of cells) {
        if (within?.some((area) => contains(area, refs.get(key)!)) === false) continue;
        if (typeof value === "string" && value.startsWith("=") && matches(value)) {
          found.push({ ...refs.get(key)!, formula: value });
        }
      }
      return found;
    },
    async recalculate(marked) {
      workbook.recalculated.push([...marked]);
      await workbook.onRecalculate(marked);
    },
    onEdit: (listener) => void editListeners.push(listener),
    onSelection(listener) {
      listeners.add(listener);
      if (workbook.selection !== null) listener(workbook.selection);
      return () => listeners.delete(listener);
    },
    async select(area) {
      workbook.selection = [area];
      for (const listener of listeners) listener(workbook.selection);
    },
    setting: async (key) => settings.get(key) ?? null,
    async setSetting(key, value) {
      settings.set(key, value);
    },
    step: (work) => work(),
  };
  return workbook;
}
