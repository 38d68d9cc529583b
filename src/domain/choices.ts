/**
 * Arguments that are one of a few words: location area, state, item type. Read in any letter case, with
 * spaces or hyphens for the underscore; anything else is refused with the words that are allowed, so
 * that a typing error can never look like "there is no such value".
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";
import { locationAreas, states, type ItemType, type LocationArea, type State } from "./records";

/** Every area of a state together; for quantities only, the service knows no such area. */
export const allAreas = "ALL";
export type AreaChoice = LocationArea | typeof allAreas;

const itemTypes = ["gtin", "wm_item_number"] as const satisfies readonly ItemType[];

/** A location area of a quantity: `STORE`, `BACKROOM` or `ALL`. */
export function parseAreaChoice(input: Plain): AreaChoice | InvError {
  return parseChoice(input, { argument: "location_area", choices: [...locationAreas, allAreas] });
}

/** A location area of events: `STORE` or `BACKROOM`; the service has no sum of both. */
export function parseLocationArea(input: Plain): LocationArea | InvError {
  return parseChoice(input, { argument: "location_area", choices: locationAreas });
}

/** An inventory state: `AVAILABLE` or `NET_AVAILABLE`. */
export function parseState(input: Plain): State | InvError {
  return parseChoice(input, { argument: "state", choices: states });
}

/** How an item is named: `gtin` or `wm_item_number`. */
export function parseItemType(input: Plain): ItemType | InvError {
  return parseChoice(input, { argument: "item_type", choices: itemTypes });
}

function parseChoice<T extends string>(
  input: Plain,
  { argument, choices }: { readonly argument: string; readonly choices: readonly T[] },
): T | InvError {
  const word = canonical(String(input));
  const choice = choices.find((candidate) => canonical(candidate) === word);
  if (choice !== undefined) return choice;
  return badArgument(argument, {
    expected: `${choices.slice(0, -1).join(", ")} or ${choices.at(-1) ?? ""}`,
    received: shown(input),
    todo: "Write one of these, in any letter case.",
  });
}

function canonical(word: string): string {
  return cleanText(word)
    .replace(/[\s_-]+/gu, "_")
    .toUpperCase();
}
