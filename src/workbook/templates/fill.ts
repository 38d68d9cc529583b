/** Turns a template and a person's rows into the cells of a sheet: fills in placeholders, and repeats rows. */
import type { Template, TemplateColumn, TemplateContent } from "../../domain/templates/template";
import { areaOfCells, type CellArea } from "../../formula/cells";
import { columnName } from "../../formula/columns";
import type { CellValue, Highlight } from "../port";

/** A valid store and a valid item; the GTIN has 14 digits. */
export interface Pair {
  readonly store: number;
  readonly item: string;
}

export interface TemplateRows {
  readonly pairs: readonly Pair[];
  readonly stores: readonly number[];
  readonly items: readonly string[];
}

export const noRows: TemplateRows = { pairs: [], stores: [], items: [] };

export interface TemplateChoice {
  readonly template: Template;
  readonly rows: TemplateRows;
  /** Ids of the optional columns that are selected. */
  readonly columns: ReadonlySet<string>;
  /** Names of stores and items, by store number and GTIN. */
  readonly names?: ReadonlyMap<string, string>;
}

interface FilledBlock {
  readonly area: CellArea;
  readonly cells: readonly (readonly CellValue[])[];
}

type Words = Readonly<Record<string, string>>;

interface NamedPair extends Pair {
  readonly storeName: string | null;
  readonly itemName: string | null;
}

/** Omits a name that a workbook would read as a formula. */
function plainName(name: string | undefined): string | null {
  return name === undefined || name.startsWith("=") ? null : name;
}

export interface TemplateLayout {
  readonly columns: readonly TemplateColumn[];
  /** All cells except the table's headings. */
  readonly blocks: readonly FilledBlock[];
  /** Number of rows of the table including its header, or of the grid including its items' row; 0 if there is neither. */
  readonly rows: number;
  /** In the order in which they apply. */
  readonly highlights: readonly { readonly area: CellArea; readonly rule: Highlight }[];
  readonly besideCol: number;
  /** The formula's cells, and how many columns contain the stores and their names before it. */
  readonly grid: (CellArea & { readonly labelCols: number }) | null;
}

export function layOutTemplate(choice: TemplateChoice): TemplateLayout {
  const { template, rows, names = new Map<string, string>() } = choice;
  const { table, grid, blocks = [] } = template;
  const pairs = (table ? rows.pairs : rows.pairs.slice(0, 1)).map((pair) => ({
    ...pair,
    storeName: plainName(names.get(String(pair.store))),
    itemName: plainName(names.get(pair.item)),
  }));
  const columns = shownColumns(template, choice.columns).filter(
    ({ cell }) =>
      (cell !== "{store-name}" || pairs.some(({ storeName }) => storeName !== null)) &&
      (cell !== "{item-name}" || pairs.some(({ itemName }) => itemName !== null)),
  );
  const besideCol = columns.length + 1;
  const filledGrid = grid ? layOutGrid(grid, rows, names) : null;
  const words: Words = {
    ...Object.fromEntries(columns.map(({ id }, index) => [id, columnName(index)])),
    first: "2",
    last: String(pairs.length + 1),
    beside: columnName(besideCol + 1),
    ...filledGrid?.words,
  };
  const [pair] = pairs;
  const fixed = (value: TemplateContent): CellValue => fillIn(value, words, pair);
  const fixedRow = (row: readonly TemplateContent[]): CellValue[] => {
    const cells = row.map(fixed);
    const lacksName = row.some((value, col) => isNameWord(value) && cells[col] === null);
    return lacksName ? cells.map(() => null) : cells;
  };
  const found: FilledBlock[] = blocks.map((block) => blockAt(block.at, block.rows.map(fixedRow)));
  if (table !== undefined) {
    const lines = pairs.map((pair, index) => {
      const rowWords = { ...words, row: String(index + 2) };
      return columns.map(({ cell }) => fillIn(cell, rowWords, pair));
    });
    found.push(blockAt("A2", lines));
    if (table.beside) {
      found.push(
        blockAt(
          `${columnName(besideCol)}1`,
          table.beside.rows.map((row) => row.map(fixed)),
        ),
      );
    }
  }
  if (filledGrid) found.push(...filledGrid.blocks);
  return {
    columns,
    blocks: found.filter(({ area }) => area.rows > 0 && area.cols > 0),
    rows: table ? pairs.length + 1 : grid ? rows.stores.length + 1 : 0,
    highlights: highlightsOf(template, {
      columns,
      rows: pairs.length,
      grid: filledGrid?.area ?? null,
      words,
    }),
    besideCol,
    grid: filledGrid?.area ?? null,
  };
}

/** Returns every rule of the template with its cells. A formula is that of the area's first row, which is `{row}`. */
function highlightsOf(
  { table, grid, highlights = [] }: Template,
  layout: {
    readonly columns: readonly TemplateColumn[];
    readonly rows: number;
    readonly grid: CellArea | null;
    readonly words: Words;
  },
): TemplateLayout["highlights"] {
  const { columns, rows, words } = layout;
  const filled = (area: CellArea, rule: Highlight) => {
    if (rule.kind !== "formula") return { area, rule };
    const areaWords = { ...words, row: String(area.row + 1) };
    return { area, rule: { ...rule, formula: String(fillIn(rule.formula, areaWords, undefined)) } };
  };
  const inColumn = (col: number, rule: Highlight) => filled({ row: 1, col, rows, cols: 1 }, rule);
  const ofTable = (table?.highlights ?? []).flatMap(({ columns: ids, rule }) =>
    columns.flatMap(({ id }, col) => (ids.includes(id) ? [inColumn(col, rule)] : [])),
  );
  const ofColumns = columns.flatMap(({ highlight }, col) => (highlight ? [inColumn(col, highlight)] : []));
  return [
    ...(rows > 0 ? [...ofTable, ...ofColumns] : []),
    ...(grid?.highlights ?? []).flatMap((rule) => (layout.grid ? [filled(layout.grid, rule)] : [])),
    ...highlights.map(({ area, rule }) => filled(areaAt(area), rule)),
  ];
}

/** Returns the mandatory columns, the chosen ones, and the columns that their formulas refer to. */
function shownColumns({ table }: Template, chosen: ReadonlySet<string>): readonly TemplateColumn[] {
  const columns = table?.columns ?? [];
  const shown = new Set(columns.filter(({ id, optional }) => optional !== true || chosen.has(id)));
  for (const { cell } of shown) {
    if (typeof cell !== "string") continue;
    for (const column of columns) if (cell.includes(`{${column.id}}`)) shown.add(column);
  }
  return columns.filter((column) => shown.has(column));
}

/** Lays out a grid: stores and their names are left of the formula, items and their names above it. */
function layOutGrid(
  grid: NonNullable<Template["grid"]>,
  { stores, items }: TemplateRows,
  names: ReadonlyMap<string, string>,
) {
  const nameOf = (id: number | string) => (grid.names === true ? plainName(names.get(String(id))) : null);
  const storeNames = stores.map((store) => [nameOf(store)]);
  const itemNames = items.map(nameOf);
  const hasStoreNames = storeNames.some(([name]) => name !== null);
  const { row, col: firstCol } = areaAt(grid.at);
  const col = hasStoreNames ? firstCol + 1 : firstCol;
  const side = columnName(firstCol - 1);
  const words = {
    stores: `${side}${row + 1}:${side}${row + stores.length}`,
    items: `${columnName(col)}${row}:${columnName(col + items.length - 1)}${row}`,
  };
  const blocks = [
    blockOf(
      { row, col: firstCol - 1 },
      stores.map((store) => [store]),
    ),
    ...(hasStoreNames ? [blockOf({ row: row - 1, col: firstCol }, [["Store name"], ...storeNames])] : []),
    ...(itemNames.some((name) => name !== null) ? [blockOf({ row: row - 2, col }, [itemNames])] : []),
    blockOf({ row: row - 1, col }, [items]),
    blockOf({ row, col }, [[fillIn(grid.formula, words, undefined)]]),
  ];
  const area = { row, col, rows: stores.length, cols: items.length, labelCols: col - firstCol + 1 };
  return { area, words, blocks };
}

function isNameWord(value: TemplateContent): boolean {
  return value === "{store-name}" || value === "{item-name}";
}

function fillIn(value: TemplateContent, words: Words, pair: NamedPair | undefined): CellValue {
  if (value === "{store}") return pair?.store ?? null;
  if (value === "{item}") return pair?.item ?? null;
  if (value === "{store-name}") return pair?.storeName ?? null;
  if (value === "{item-name}") return pair?.itemName ?? null;
  if (typeof value !== "string") return value;
  const all: Words = pair ? { ...words, store: String(pair.store), item: pair.item } : words;
  return value.replaceAll(/\{([a-z][a-z0-9-]*)\}/g, (whole, word: string) => all[word] ?? whole);
}

function blockAt(at: string, cells: readonly (readonly CellValue[])[]): FilledBlock {
  return blockOf(areaAt(at), cells);
}

function blockOf(
  { row, col }: Pick<CellArea, "row" | "col">,
  cells: readonly (readonly CellValue[])[],
): FilledBlock {
  return { area: { row, col, rows: cells.length, cols: cells[0]?.length ?? 0 }, cells };
}

/** Returns the cells of `B2` or `B2:C5`. A template's schema has checked its addresses. */
export function areaAt(address: string): CellArea {
  return areaOfCells(address) ?? { row: 0, col: 0, rows: 1, cols: 1 };
}

/** All contents that the template writes. */
export function contentsOf({ blocks }: TemplateLayout): CellValue[] {
  return blocks.flatMap(({ cells }) => cells.flat());
}
