/**
 * What a template will ask for, told before it is built: the items and histories of its formulas for the
 * rows at hand, as the engine prices them. Formulas are read, so it holds for everybody's templates; an argument
 * that only the sheet knows is taken as left out, which asks for no less.
 */
import { isInvError } from "../../domain/errors";
import { functionFacts } from "../../domain/functions";
import type { Work } from "../../engine/types";
import type { Query } from "../../domain/records";
import { argumentTexts, callsIn, invFunctionNamed } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";
import { constantOf } from "../insert/evaluate";
import { type Given, questionOf } from "../insert/question";
import { createWorkList } from "../work-list";
import { shownColumns, type TemplateChoice } from "./fill";
import { crossed } from "./crossed";

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
  const asked = formulas.flatMap((formula) => askedBy(formula, nowMs));
  const asksItems = asked.includes("item");
  const histories = asked.filter((each) => each !== "item");
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

/** For each function in a formula: an item, or a history by what is given beside store and GTIN. */
function askedBy(formula: string, nowMs: number): ("item" | Given)[] {
  const tokens = tokensOf(formula);
  return callsIn(tokens).flatMap<"item" | Given>((call) => {
    const { asks = null, narrowedBy = [] } = functionFacts[invFunctionNamed(call.name) ?? ""] ?? {};
    if (asks !== "history") return asks ?? [];
    const texts = argumentTexts(tokens, call).slice(2);
    return Object.fromEntries(
      narrowedBy.map((each, at) => [each, constantOf(texts[at] ?? "", nowMs) ?? null]),
    );
  });
}
