/**
 * What a template will ask for, told before it is built: the items and histories of its formulas for the
 * rows at hand, as the engine prices them. Formulas are read, so it holds for everybody's templates; an argument
 * that only the sheet knows is taken as left out, which asks for no less.
 */
import { serialFromMs } from "../../domain/dates";
import { isInvError } from "../../domain/errors";
import type { Work } from "../../engine/types";
import type { Query } from "../../cells/cell-record";
import { type Given, questionOf } from "../insert/question";
import type { CellValue } from "../port";
import { createWorkList } from "../work-list";
import { shownColumns, type TemplateChoice } from "./fill";
import { crossed } from "./crossed";

const itemFunctions = /(?<![\p{L}\p{N}_.])INV\.(?:QTY|STOCK|CID|UPDATED|ASOF|STATUS)\s*\(/iu;
const historyFunctions = /(?<![\p{L}\p{N}_.])INV\.(EVENTS|EVENTQTY|LASTEVENT)\s*\(/giu;
/** Names of the arguments after store and GTIN, as far as they are asked for. */
const historyArguments: Readonly<Record<string, readonly string[]>> = {
  EVENTS: ["event_type", "start_date", "end_date", "location_area"],
  EVENTQTY: ["event_type", "start_date", "end_date", "location_area"],
  LASTEVENT: ["event_type", "location_area"],
};

interface WorkFacts {
  readonly nowMs: number;
  /** What need not be asked for again. */
  isFresh(query: Query): boolean;
}

/** Of what is not at hand. */
export function workOfTemplate(
  { template, rows, columns }: TemplateChoice,
  { nowMs, isFresh }: WorkFacts,
): Work {
  const { table, grid, blocks = [] } = template;
  const inRows = table && shownColumns(template, columns).map(({ cell }) => cell);
  const cells = grid ? [grid.formula] : (inRows ?? blocks.flatMap((block) => block.rows.flat()));
  const formulas = cells.filter((cell) => typeof cell === "string").filter((cell) => cell.startsWith("="));
  const pairs = grid
    ? crossed(rows.stores, rows.items)
    : template.needs === "pairs"
      ? rows.pairs
      : rows.pairs.slice(0, 1);
  const asksItems = formulas.some((formula) => itemFunctions.test(formula));
  const histories = formulas.flatMap((formula) => historiesOf(formula, nowMs));
  const list = createWorkList((query) => !isFresh(query));
  for (const { store, item } of pairs) {
    if (asksItems) list.add({ storeNumber: store, itemType: "gtin", value: item });
    for (const given of histories) {
      const question = questionOf({ ...given, store, gtin: item }, nowMs);
      if (question !== null && !isInvError(question)) list.add(question);
    }
  }
  return list.work;
}

/** What each function of events in a formula is given beside store and GTIN. */
function historiesOf(formula: string, nowMs: number): Given[] {
  return [...formula.matchAll(historyFunctions)].map(({ index, 0: opening, 1: name = "" }) => {
    const texts = argumentsFrom(formula, index + opening.length).slice(2);
    const names = historyArguments[name.toUpperCase()] ?? [];
    return Object.fromEntries(names.map((each, at) => [each, constant(texts[at] ?? "", nowMs)]));
  });
}

/** Up to the parenthesis that closes. */
function argumentsFrom(formula: string, start: number): string[] {
  const texts = [""];
  let depth = 0;
  for (const [part] of formula.slice(start).matchAll(/"(?:[^"]|"")*"|[(){},]|[^"(){},]+/g)) {
    if (part === ")" && depth === 0) break;
    if (part === "(" || part === "{") depth += 1;
    if (part === ")" || part === "}") depth -= 1;
    if (part === "," && depth === 0) texts.push("");
    else texts.push(`${texts.pop() ?? ""}${part}`);
  }
  return texts;
}

/** Null where only the sheet knows it. */
function constant(given: string, nowMs: number): CellValue {
  const text = given.trim();
  if (/^"(?:[^"]|"")*"$/.test(text)) return text.slice(1, -1).replaceAll('""', '"');
  if (/^\d+$/.test(text)) return Number(text);
  const daysAgo = /^TODAY\(\)(?:-(\d+))?$/i.exec(text);
  if (daysAgo === null) return null;
  const now = new Date(nowMs);
  // The planner's own day, as Excel's TODAY().
  return serialFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) - Number(daysAgo[1] ?? 0);
}
