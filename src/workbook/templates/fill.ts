/** Turns a template and a person's rows into the cells of a sheet: fills in placeholders, and repeats rows. */
import { areaOfCells, type CellArea } from "../../formula/cells";
import { columnName } from "../../formula/columns";
import type { Template, TemplateColumn, TemplateContent } from "../../domain/templates/template";
import type { Area, CellValue, Highlight } from "../port";

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

export interface FilledBlock {
  readonly area: Omit<Area, "sheet">;
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
  readonly blocks: readonly FilledBlock[];
  /** Number of rows of the table including its header, or of the grid including its items' row; 0 if there is neither. */
  readonly rows: number;
  readonly highlights: readonly { readonly col: number; readonly rule: Highlight }[];
  readonly besideCol: number;
  readonly grid: Omit<Area, "sheet"> | null;
}

export function layOutTemplate(choice: TemplateChoice): TemplateLayout {
  const { template, rows, names = new Map<string, string>() } = choice;
  const { table, grid, blocks = [] } = template;
  const pairs = (template.needs === "pairs" ? rows.pairs : rows.pairs.slice(0, 1)).map((pair) => ({
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
  const words: Words = {
    ...Object.fromEntries(columns.map(({ id }, index) => [id, columnName(index)])),
    first: "2",
    last: String(pairs.length + 1),
    beside: columnName(besideCol + 1),
    ...(grid ? gridWords(grid.at, rows) : {}),
  };
  const [pair] = pairs;
  const fixed = (value: TemplateContent): CellValue => fillIn(value, words, pair);
  const found: FilledBlock[] = blocks.map((block) =>
    blockAt(
      block.at,
      block.rows.map((row) => row.map(fixed)),
    ),
  );
  if (table !== undefined) {
    found.push(tableBlock(columns, pairs, words));
    if (table.beside) {
      found.push(
        blockAt(
          `${columnName(besideCol)}1`,
          table.beside.rows.map((row) => row.map(fixed)),
        ),
      );
    }
  }
  if (grid !== undefined) found.push(...gridBlocks(grid, rows, words));
  return {
    columns,
    blocks: found.filter(({ area }) => area.rows > 0 && area.cols > 0),
    rows: table ? pairs.length + 1 : grid ? rows.stores.length + 1 : 0,
    highlights: (table?.highlights ?? []).flatMap(({ columns: ids, rule }) => {
      const filled =
        rule.kind === "formula"
          ? { ...rule, formula: String(fillIn(rule.formula, { ...words, row: "2" }, undefined)) }
          : rule;
      return columns.flatMap(({ id }, col) => (ids.includes(id) ? [{ col, rule: filled }] : []));
    }),
    besideCol,
    grid: grid ? { ...areaAt(grid.at), rows: rows.stores.length, cols: rows.items.length } : null,
  };
}

/** Returns the mandatory columns, the chosen ones, and the columns that their formulas refer to. */
export function shownColumns({ table }: Template, chosen: ReadonlySet<string>): readonly TemplateColumn[] {
  const columns = table?.columns ?? [];
  const shown = new Set(columns.filter(({ id, optional }) => optional !== true || chosen.has(id)));
  for (const { cell } of shown) {
    if (typeof cell !== "string") continue;
    for (const column of columns) if (cell.includes(`{${column.id}}`)) shown.add(column);
  }
  return columns.filter((column) => shown.has(column));
}

function tableBlock(
  columns: readonly TemplateColumn[],
  pairs: readonly NamedPair[],
  words: Words,
): FilledBlock {
  const lines = pairs.map((pair, index) => {
    const own = { ...words, row: String(index + 2) };
    return columns.map(({ cell }) => fillIn(cell, own, pair));
  });
  return blockAt("A1", [columns.map(({ header }) => header), ...lines]);
}

/** Returns the blocks of a grid: stores are left of the formula, items above it. */
function gridBlocks(
  grid: { at: string; formula: string },
  { stores, items }: TemplateRows,
  words: Words,
): FilledBlock[] {
  const { row, col } = areaAt(grid.at);
  return [
    { area: { row, col: col - 1, rows: stores.length, cols: 1 }, cells: stores.map((store) => [store]) },
    { area: { row: row - 1, col, rows: 1, cols: items.length }, cells: [items] },
    { area: { row, col, rows: 1, cols: 1 }, cells: [[fillIn(grid.formula, words, undefined)]] },
  ];
}

function gridWords(at: string, { stores, items }: TemplateRows): Words {
  const { row, col } = areaAt(at);
  const side = columnName(col - 1);
  return {
    stores: `${side}${row + 1}:${side}${row + stores.length}`,
    items: `${columnName(col)}${row}:${columnName(col + items.length - 1)}${row}`,
  };
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
  return { area: { ...areaAt(at), rows: cells.length, cols: cells[0]?.length ?? 0 }, cells };
}

/** Returns the cells of `B2` or `B2:C5`. A template's schema has checked its addresses. */
export function areaAt(address: string): CellArea {
  return areaOfCells(address) ?? { row: 0, col: 0, rows: 1, cols: 1 };
}
