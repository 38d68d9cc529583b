/**
 * Estimates what a template will request, before it is built: the items and histories of its formulas for the chosen rows. It
 * reads the formulas, so it works for everybody's templates. An argument that only the sheet knows counts as omitted, which
 * never requests less.
 */
import { functionFacts } from "../../domain/functions";
import { isHistory, queryKey } from "../../domain/query-keys";
import type { Work } from "../../engine/types";
import type { Query } from "../../domain/records";
import { argumentTexts, callsIn, invFunctionNamed } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";
import type { FunctionPreview } from "../function-preview";
import { constantOf } from "../formula-queries";
import { createWorkList } from "../work-list";
import { shownColumns, type TemplateChoice } from "./fill";
import { crossed } from "./crossed";

interface WorkFacts {
  readonly nowMs: number;
  readonly functions: Pick<FunctionPreview, "queries">;
  /** Whether a query is cached and needs no request. */
  isFresh(query: Query): boolean;
}

/** Returns what isn't cached. */
export function workOfTemplate(
  { template, rows, columns }: TemplateChoice,
  { nowMs, functions, isFresh }: WorkFacts,
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
  const list = createWorkList((query) => !isFresh(query));
  const [first] = pairs;
  if (first === undefined) return list.work;
  const ofFirst = new Map<string, Query>();
  for (const { id, others } of formulas.flatMap((formula) => callsOf(formula, nowMs))) {
    const query = functions.queries(id, [first.store, first.item, ...others]).at(0, 0);
    if (query !== null) ofFirst.set(queryKey(query), query);
  }
  for (const { store, item } of pairs) {
    for (const query of ofFirst.values()) {
      list.add({ ...query, storeNumber: store, ...(isHistory(query) ? { gtin: item } : { value: item }) });
    }
  }
  return list.work;
}

/** Returns the function calls that request something, with their arguments after store and item. */
function callsOf(formula: string, nowMs: number): { readonly id: string; readonly others: unknown[] }[] {
  const tokens = tokensOf(formula);
  return callsIn(tokens).flatMap((call) => {
    const id = invFunctionNamed(call.name) ?? "";
    if ((functionFacts[id]?.asks ?? null) === null) return [];
    const texts = argumentTexts(tokens, call).slice(2);
    const others = texts.map((text) => constantOf(text, nowMs) ?? null);
    // INV.EVENTS takes the same arguments, and accepts an event type that only the sheet knows.
    return { id: id === "EVENTQTY" ? "EVENTS" : id, others };
  });
}
