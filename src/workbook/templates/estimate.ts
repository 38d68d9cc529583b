/**
 * What a template will request, before it is built. Its formulas are read as those of any sheet, over the cells that the template
 * would write. The rows of a table differ only in their store and item, so one row is read for all of them.
 */
import { isHistory } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import { cellKey } from "../addresses";
import { visitCells } from "../cell-areas";
import { withKind } from "../cell-content";
import { invMatcher } from "../formula-search";
import { type FormulaReader, readFormulaQueries } from "../formula-queries";
import type { Area, CellContent, CellRef, CellValue, FormulaCell, TableInfo, Workbook } from "../port";
import { findTooManyCells, type TooManyCells } from "../build-cost";
import { createWorkList, type PlannedWork } from "../work-list";
import { contentsOf, layOutTemplate, type Pair, type TemplateChoice, type TemplateLayout } from "./fill";

/** A name that no sheet can have. */
const sheet = "[new]";

interface TemplateCost {
  /** What isn't cached. */
  readonly work: PlannedWork;
  /** Whether there may be more, because some calls can't be predicted before the sheet is calculated. */
  readonly isPartial: boolean;
  /** Null if the workbook calculates all INV cells. */
  readonly tooMany: TooManyCells | null;
}

interface EstimateReader extends FormulaReader {
  readonly workbook: FormulaReader["workbook"] & Pick<Workbook, "mostInvCells" | "findFormulas">;
  isFresh(query: Query): boolean;
}

export async function estimateTemplate(
  choice: TemplateChoice,
  reader: EstimateReader,
): Promise<TemplateCost> {
  const { template, rows } = choice;
  const pairs = template.table ? rows.pairs : [];
  const [first] = pairs;
  const layout = layOutTemplate(
    first === undefined ? choice : { ...choice, rows: { ...rows, pairs: [first] } },
  );
  const list = createWorkList((query) => !reader.isFresh(query), reader.isFresh);
  let unpredictable = 0;
  const workbook = laidOver(reader.workbook, choice, layout);
  const isInv = await invMatcher(workbook);
  const invFormulasOf = (of: TemplateLayout) => formulasOf(of).filter(({ formula }) => isInv(formula));
  for (const each of await readFormulaQueries({ ...reader, workbook }, invFormulasOf(layout))) {
    unpredictable += each.unpredictable;
    addAll(each.queries, list.add);
    addAll(each.sums, list.addSum);
  }
  const tooMany = await findTooManyCells(reader.workbook, () => contentsOf(layOutTemplate(choice)));
  return { work: list.work, isPartial: unpredictable > 0, tooMany };

  function addAll(queries: readonly Query[], add: (query: Query) => void): void {
    for (const query of queries) {
      if (first === undefined || !isOf(query, first)) add(query);
      else for (const pair of pairs) add(withPair(query, pair));
    }
  }
}

function isOf(query: Query, { store, item }: Pair): boolean {
  return query.storeNumber === store && (isHistory(query) ? query.gtin : query.value) === item;
}

function withPair(query: Query, { store, item }: Pair): Query {
  return { ...query, storeNumber: store, ...(isHistory(query) ? { gtin: item } : { value: item }) };
}

function formulasOf({ blocks }: TemplateLayout): readonly FormulaCell[] {
  const formulas: FormulaCell[] = [];
  for (const { area, cells } of blocks) {
    visitCells({ sheet, ...area }, cells, (content, ref) => {
      if (isFormula(content)) formulas.push({ ...ref, formula: content });
    });
  }
  return formulas;
}

/** The open workbook with the sheet that would be built. There, a formula's value isn't known, so its cell waits. */
function laidOver(
  workbook: FormulaReader["workbook"],
  { template: { table } }: TemplateChoice,
  { blocks, columns, rows }: TemplateLayout,
): FormulaReader["workbook"] {
  const contents = new Map<string, CellValue>();
  for (const { area, cells } of blocks) {
    visitCells({ sheet, ...area }, cells, (content, ref) => contents.set(cellKey(ref), content));
  }
  const contentAt = (row: number, col: number): CellContent => {
    const content = contents.get(cellKey({ sheet, row, col })) ?? null;
    return isFormula(content) ? { error: "#BUSY!" } : withKind(content);
  };
  const contentsIn = (area: Area) =>
    Array.from({ length: area.rows }, (_, r) =>
      Array.from({ length: area.cols }, (_unused, c) => contentAt(area.row + r, area.col + c)),
    );
  const headers = columns.map(({ header }) => header);
  const plannedTables: readonly TableInfo[] = table
    ? [{ name: table.name, area: { sheet, row: 0, col: 0, rows, cols: columns.length }, headers }]
    : [];
  return {
    names: () => workbook.names(),
    tables: async () => [...plannedTables, ...(await workbook.tables())],
    extents: (cells) =>
      eachOn(cells, (ref) => ({ ...ref, rows: 1, cols: 1, isSharedArray: false }), workbook.extents),
    usedArea: (name) =>
      isOwn({ sheet: name })
        ? Promise.resolve({ sheet, row: 0, col: 0, rows, cols: columns.length })
        : workbook.usedArea(name),
    contentsOf: (areas) => eachOn(areas, contentsIn, workbook.contentsOf),
  };
}

function isOwn(ref: { readonly sheet: string }): boolean {
  return ref.sheet === sheet;
}

/** Answers for the new sheet's cells, and reads the others' from the open workbook. Keeps their order. */
async function eachOn<Ref extends CellRef, T>(
  refs: readonly Ref[],
  planned: (ref: Ref) => T,
  read: (others: readonly Ref[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const others = refs.filter((ref) => !isOwn(ref));
  const found = others.length === 0 ? [] : await read(others);
  const answers = new Map(others.map((ref, index) => [ref, found[index]]));
  return refs.map((ref) => answers.get(ref) ?? planned(ref));
}

function isFormula(content: CellValue): content is string {
  return typeof content === "string" && content.startsWith("=");
}
