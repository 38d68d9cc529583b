/**
 * Parses arguments that are one of a few words: location area, state, item type. Accepts any letter case, and spaces or hyphens
 * for the underscore. Refuses anything else and names the allowed words: a typing error must never look like "not found".
 */
import { badArgument, quotedValue, type PlainValue } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";
import { locationAreas, states, type ItemType, type LocationArea, type State } from "./records";

/** The sum over all areas of a state. Only quantities accept it: the service has no such area. */
export const allAreas = "ALL";
export type AreaChoice = LocationArea | typeof allAreas;

const itemTypes = ["gtin", "wm_item_number"] as const satisfies readonly ItemType[];

export function parseAreaChoice(input: PlainValue): AreaChoice | InvError {
  return parseChoice(input, { argument: "location_area", choices: [...locationAreas, allAreas] });
}

/** Parses an area of events: the service doesn't return a total of both areas. */
export function parseLocationArea(input: PlainValue): LocationArea | InvError {
  return parseChoice(input, { argument: "location_area", choices: locationAreas });
}

export function parseState(input: PlainValue): State | InvError {
  return parseChoice(input, { argument: "state", choices: states });
}

export function parseItemType(input: PlainValue): ItemType | InvError {
  return parseChoice(input, { argument: "item_type", choices: itemTypes });
}

function parseChoice<T extends string>(
  input: PlainValue,
  { argument, choices }: { readonly argument: string; readonly choices: readonly T[] },
): T | InvError {
  const word = canonical(String(input));
  const choice = choices.find((candidate) => canonical(candidate) === word);
  if (choice !== undefined) return choice;
  return badArgument(argument, {
    expected: `${choices.slice(0, -1).join(", ")} or ${choices.at(-1) ?? ""}`,
    received: quotedValue(input),
    todo: "Write one of these, in any letter case.",
  });
}

function canonical(word: string): string {
  return cleanText(word)
    .replace(/[\s_-]+/gu, "_")
    .toUpperCase();
}
