/** A workbook in memory. It stores cells, formats and sheets, finds formulas, and passes recalculated cells to a listener. It calculates nothing. */
import { cellKey, contains } from "../../src/workbook/addresses";
import { withKind, withoutKind } from "../../src/workbook/cell-content";
import { isPending, stillWaiting } from "../../src/workbook/still-waiting";
import type {
  Area,
  CellFormat,
  CellRef,
  CellValue,
  ChartSpec,
  DefinedName,
  Edit,
  FormulaCell,
  Highlight,
  RefusedCells,
  SelectedAreas,
  SheetInfo,
  TableInfo,
  Workbook,
} from "../../src/workbook/port";

export interface MemoryWorkbook extends Workbook {
  mostInvCells: number | null;
  readonly cells: Map<string, CellValue>;
  readonly formats: { readonly area: Area; readonly format: CellFormat }[];
  readonly frozen: Map<string, number>;
  readonly recalculated: CellRef[][];
  selection: SelectedAreas | null;
  /** Replaces the host's calculation. */
  onRecalculate: (cells: readonly CellRef[]) => unknown;
  put(ref: CellRef, value: CellValue): void;
  /** Renames a sheet as a person does. Names follow. */
  renameSheet(from: string, to: string): void;
  /** A test adds a rule that no `Highlight` expresses, with its name. */
  readonly highlights: { readonly area: Area; readonly rule: Highlight | null; readonly name?: string }[];
  readonly notes: { readonly ref: CellRef; readonly text: string }[];
  readonly addedTables: TableInfo[];
  readonly addedCharts: ChartSpec[];
  readonly definedNames: DefinedName[];
  drawsCharts: boolean;
  /** Formats that functions return, by cell, until the cell changes. */
  readonly brought: Map<string, string>;
  /** Hidden rows of Plan. */
  readonly hidden: Set<number>;
  /** The areas that formulas fill, by cell. The test writes the values. */
  readonly spills: Map<string, { rows: number; cols: number; isSharedArray?: boolean }>;
  /** Returns what a formula shows; by default the formula. */
  valueOf: (formula: string, ref: CellRef) => CellValue;
  /** The searched areas, in order; null for the whole workbook. */
  readonly searches: (readonly Area[] | null)[];
  /** Reports an edit, as the host does. */
  tellEdit(edit: Edit): void;
  /** Reports cells beyond the limit, as the host does after a calculation. */
  tellBeyondLimit(cells: readonly CellRef[]): void;
}

export function createMemoryWorkbook(sheetNames: readonly string[] = []): MemoryWorkbook {
  let sheetCount = 0;
  const newSheet = (name: string, visible = true): SheetInfo => {
    sheetCount += 1;
    return { id: `id-${sheetCount}`, name, visible, isProtected: false };
  };
  const sheets: SheetInfo[] = sheetNames.map((name) => newSheet(name));
  const cells = new Map<string, CellValue>();
  const refs = new Map<string, CellRef>();
  const settings = new Map<string, string>();
  /** The area with the sheet's name, for callers that know a new sheet by its id. */
  const named = <T extends { readonly sheet: string }>(ref: T): T => ({
    ...ref,
    sheet: sheets.find(({ id }) => id === ref.sheet)?.name ?? ref.sheet,
  });
  const listeners = new Set<(areas: SelectedAreas) => void>();
  const editListeners = new Set<(edit: Edit) => void>();
  const beyondListeners: ((cells: readonly CellRef[]) => void)[] = [];
  const workbook: MemoryWorkbook = {
    mostInvCells: null,
    onBeyondLimit: (listener) => void beyondListeners.push(listener),
    tellBeyondLimit: (refs) => beyondListeners.forEach((listener) => listener(refs)),
    cells,
    formats: [],
    searches: [],
    tellEdit(edit) {
      for (const listener of editListeners) listener(edit);
    },
    frozen: new Map(),
    recalculated: [],
    selection: null,
    onRecalculate: () => undefined,
    put(ref, value) {
      cells.set(cellKey(ref), value);
      workbook.brought.delete(cellKey(ref));
      refs.set(cellKey(ref), ref);
    },
    renameSheet(from, to) {
      const at = sheets.findIndex(({ name }) => name === from);
      sheets[at] = { ...sheets[at]!, name: to };
      for (const [key, ref] of [...refs].filter(([, { sheet }]) => sheet === from)) {
        const value = cells.get(key) ?? null;
        cells.delete(key);
        refs.delete(key);
        workbook.put({ ...ref, sheet: to }, value);
      }
      workbook.definedNames.forEach((name, index) => {
        const formula = name.formula.replace(`'${from}'!`, `'${to}'!`);
        workbook.definedNames[index] = { ...name, formula };
      });
    },
    sheets: async () => [...sheets],
    async addSheet(name, options) {
      const taken = sheets.map((sheet) => sheet.name);
      let free = name;
      for (let number = 2; taken.includes(free); number += 1) free = `${name} ${number}`;
      sheets.push(newSheet(free, true));
      workbook.frozen.set(free, options?.frozenRows ?? 0);
      return sheets.at(-1)!.id;
    },
    async usedArea(sheet) {
      const filled = [...cells].flatMap(([key, value]) => (value === null ? [] : [refs.get(key)!]));
      const own = filled.filter((ref) => ref.sheet === sheet);
      if (own.length === 0) return null;
      const rows = Math.max(...own.map(({ row }) => row)) + 1;
      const cols = Math.max(...own.map(({ col }) => col)) + 1;
      return { sheet, row: 0, col: 0, rows, cols };
    },
    async deleteSheet(id) {
      const at = sheets.findIndex((sheet) => sheet.id === id);
      for (const [key, ref] of refs) if (ref.sheet === sheets[at]?.name) cells.delete(key);
      if (at >= 0) sheets.splice(at, 1);
    },
    formatsOf: async (area) =>
      Array.from({ length: area.rows }, (_, r) =>
        Array.from({ length: area.cols }, (_unused, c) => {
          const ref = { sheet: area.sheet, row: area.row + r, col: area.col + c };
          const own = workbook.formats.filter((each) => contains(each.area, ref));
          return Object.assign({}, ...own.map(({ format }) => format)) as CellFormat;
        }),
      ),
    async copyWithValues(copies) {
      const values = await workbook.contentsOf(copies.map(({ area }) => area));
      if (values.flat(2).some(isPending)) throw stillWaiting();
      for (const [index, { area, to, above, formats }] of copies.entries()) {
        const sheet = to;
        await workbook.addSheet(to);
        const down = above.length;
        await workbook.write(
          { sheet, row: 0, col: 0, rows: above.length, cols: 1 },
          above.map((line) => [line]),
          { asText: true },
        );
        await workbook.write({ ...area, sheet, row: area.row + down }, values[index] ?? [], { asText: true });
        for (const { ref, numberFormat } of formats) {
          const cell = { ...ref, sheet, row: ref.row + down, rows: 1, cols: 1 };
          workbook.formats.push({ area: cell, format: { numberFormat } });
        }
      }
    },
    highlights: [],
    notes: [],
    addedTables: [],
    addedCharts: [],
    definedNames: [],
    names: async () => [...workbook.definedNames],
    brought: new Map(),
    numberFormats: (asked) =>
      Promise.all(
        asked.map(async (ref) => {
          const [[format] = []] = await workbook.formatsOf({ ...ref, rows: 1, cols: 1 });
          return format?.numberFormat ?? "General";
        }),
      ),
    broughtFormats: async (asked) => {
      const own = await Promise.all(asked.map((ref) => workbook.formatsOf({ ...ref, rows: 1, cols: 1 })));
      return asked.map((ref, index) =>
        own[index]?.[0]?.[0]?.numberFormat === undefined
          ? (workbook.brought.get(cellKey(ref)) ?? null)
          : null,
      );
    },
    highlight: async (area, rule) => void workbook.highlights.push({ area: named(area), rule }),
    highlightsOf: async (sheet) =>
      workbook.highlights.flatMap(({ area, rule, name = "rule with a formula" }) =>
        area.sheet === sheet ? [{ areas: [area], rule, name }] : [],
      ),
    notesOf: async (sheet) =>
      workbook.notes.flatMap(({ ref, text }) => (ref.sheet === sheet ? [{ cell: ref, text }] : [])),
    note: async (ref, text) => void workbook.notes.push({ ref: named(ref), text }),
    addTable: async (area, name) => {
      const [headers] = await workbook.read({ ...area, rows: 1 }, "values");
      workbook.addedTables.push({ area: named(area), name, headers: headers!.map(String) });
    },
    tables: async () => workbook.addedTables,
    drawsCharts: true,
    async addChart(chart) {
      if (workbook.drawsCharts) {
        workbook.addedCharts.push({ ...chart, data: named(chart.data), over: named(chart.over) });
      }
      return workbook.drawsCharts;
    },
    spills: new Map(),
    extents: async (asked) =>
      asked.map(({ sheet, row, col }) => {
        const size = workbook.spills.get(cellKey({ sheet, row, col })) ?? { rows: 1, cols: 1 };
        return { sheet, row, col, isSharedArray: false, ...size };
      }),
    hidden: new Set(),
    hiddenRows: async ({ sheet, row, rows }) =>
      Array.from({ length: rows }, (_, at) => sheet === "Plan" && workbook.hidden.has(row + at)),
    valueOf: (formula) => formula,
    async read(given, what) {
      const area = named(given);
      const row = (r: number) =>
        Array.from({ length: area.cols }, (_, c) => {
          const ref = { sheet: area.sheet, row: area.row + r, col: area.col + c };
          const content = cells.get(cellKey(ref)) ?? null;
          if (typeof content !== "string") return content;
          if (content.startsWith("'=")) return content.slice(1);
          return what === "values" && content.startsWith("=") ? workbook.valueOf(content, ref) : content;
        });
      return Array.from({ length: area.rows }, (_, r) => row(r));
    },
    contentsOf: (areas) =>
      Promise.all(
        areas.map(async (area) => {
          const rows = await workbook.read(area, "values");
          return rows.map((line) => line.map(withKind));
        }),
      ),
    calculated: () => Promise.resolve(),
    async write(given, values, { asText } = { asText: false }) {
      const area = named(given);
      if (values.length !== area.rows || values.some(({ length }) => length !== area.cols)) {
        throw new Error("Excel refuses values of another shape than their area.");
      }
      for (const [r, line] of values.entries()) {
        for (const [c, content] of line.entries()) {
          const value = withoutKind(content);
          const isText = asText && typeof value === "string" && value.startsWith("=");
          const ref = { sheet: area.sheet, row: area.row + r, col: area.col + c };
          workbook.put(ref, isText ? `'${value}` : value);
        }
      }
    },
    async format(area, format) {
      workbook.formats.push({ area: named(area), format });
    },
    async findFormulas(matches, within) {
      workbook.searches.push(within ?? null);
      const found: FormulaCell[] = [];
      let formulas = 0;
      for (const [key, value] of cells) {
        if (typeof value !== "string" || !value.startsWith("=")) continue;
        // Beyond the limit are the formulas that came last.
        formulas += 1;
        const isBeyondLimit = formulas > (workbook.mostInvCells ?? Infinity);
        if (within?.some((area) => contains(area, refs.get(key)!)) === false) continue;
        if (matches(value)) {
          found.push({ ...refs.get(key)!, formula: value, ...(isBeyondLimit && { isBeyondLimit }) });
        }
      }
      return found;
    },
    async recalculate(marked) {
      workbook.recalculated.push([...marked]);
      const refused: unknown = await workbook.onRecalculate(marked);
      return Array.isArray(refused) ? (refused as RefusedCells[]) : [];
    },
    onEdit(listener) {
      editListeners.add(listener);
      return () => editListeners.delete(listener);
    },
    onSelection(listener) {
      listeners.add(listener);
      if (workbook.selection !== null) listener(workbook.selection);
      return () => listeners.delete(listener);
    },
    async select(area) {
      workbook.selection = [named(area)];
      for (const listener of listeners) listener(workbook.selection);
    },
    setting: async (key) => settings.get(key) ?? null,
    async setSetting(key, value) {
      settings.set(key, value);
    },
    step: (work) => work(workbook),
  };
  return workbook;
}
