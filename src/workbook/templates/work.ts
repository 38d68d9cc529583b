/**
 * What a template will ask for, told before it is built: the items and histories of its formulas for the
 * rows at hand, as the engine prices them. Formulas are read, so it holds for everybody's templates.
 */
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { Work } from "../../engine/types";
import { shownColumns, type TemplateChoice } from "./fill";
import { crossed } from "./rows";

const itemFunctions = /(?<![\p{L}\p{N}_.])INV\.(?:QTY|STOCK|CID|UPDATED|ASOF|STATUS)\s*\(/iu;
const historyFunctions = /(?<![\p{L}\p{N}_.])INV\.(?:EVENTS|EVENTQTY|LASTEVENT)\s*\(/iu;

export function workOfTemplate({ template, rows, columns }: TemplateChoice): Work {
  const { table, grid, blocks = [] } = template;
  const inRows = table && shownColumns(template, columns).map(({ cell }) => cell);
  const formulas = grid ? [grid.formula] : (inRows ?? blocks.flatMap((block) => block.rows.flat()));
  const asks = (kind: RegExp) => formulas.some((cell) => typeof cell === "string" && kind.test(cell));
  const pairs = grid
    ? crossed(rows.stores, rows.items)
    : template.needs === "pairs"
      ? rows.pairs
      : rows.pairs.slice(0, 1);
  return {
    items: asks(itemFunctions)
      ? pairs.map(({ store, item }): ItemQuery => ({ storeNumber: store, itemType: "gtin", value: item }))
      : [],
    histories: asks(historyFunctions)
      ? pairs.map(({ store, item }): HistoryQuery => ({ storeNumber: store, gtin: item }))
      : [],
  };
}
