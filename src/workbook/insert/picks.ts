/** The picks for a formula's arguments: a person's own, or otherwise those that the list beside the formula suggests. */
import type { DescribedFunction, FunctionArgument } from "./functions-list";
import type { InsertList } from "./list";

export type Pick =
  | { readonly kind: "left-out" }
  /** In each row, the cell of this column. */
  | { readonly kind: "column"; readonly sheet: string; readonly col: number }
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "list"; readonly name: string }
  | { readonly kind: "days-ago"; readonly days: number }
  /** Typed text: a cell such as `$B$1`, a name of cells, a number, a date, a word. */
  | { readonly kind: "typed"; readonly text: string };

/** Keyed by the argument's name. */
export type Picks = Readonly<Record<string, Pick>>;

export const leftOutPick: Pick = { kind: "left-out" };

/** The event type that planners need most. */
const usualEventType = "SALES";

/** Returns a pick for every argument: the person's if it fits this list's sheet, otherwise the list's suggestion. */
export function completePicks(described: DescribedFunction, chosen: Picks, list: InsertList | null): Picks {
  const all = described.arguments.map((argument) => {
    const own = chosen[argument.name];
    const isOfAnotherSheet = own?.kind === "column" && own.sheet !== list?.sheet;
    return [argument.name, own === undefined || isOfAnotherSheet ? suggested(argument, list) : own] as const;
  });
  return Object.fromEntries(all);
}

function suggested({ name, optional }: FunctionArgument, list: InsertList | null): Pick {
  if (name === "store") return columnOf(list, list?.storeCol);
  if (name === "item" || name === "gtin") return columnOf(list, list?.itemCol);
  if (name === "item_type" && list?.itemType === "wm_item_number") {
    return { kind: "word", word: list.itemType };
  }
  if (name === "event_type" && !optional) return { kind: "word", word: usualEventType };
  return leftOutPick;
}

function columnOf(list: InsertList | null, col: number | null | undefined): Pick {
  return list === null || col === null || col === undefined
    ? leftOutPick
    : { kind: "column", sheet: list.sheet, col };
}
