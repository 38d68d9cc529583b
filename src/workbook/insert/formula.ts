/**
 * The text of a formula from what was picked for its arguments, and back: what stands in the text for each
 * argument. The text is made here once; what is previewed, priced and written is read from it.
 */
import { columnName } from "../../formula/columns";
import { referenceIn } from "../../formula/references";
import { isInvError } from "../../domain/errors";
import { parseStoreNumber } from "../../domain/identifiers";
import type { NamedCells } from "../named-cells";
import { isCell } from "./evaluate";
import type { DescribedFunction, FunctionArgument } from "./functions-list";
import { leftOutPick, type Pick, type Picks } from "./picks";

interface FormulaText {
  readonly formula: string;
  /** It fills cells beside or below its own: a name of several cells stands in it. */
  readonly spills: boolean;
  /** Arguments that the function needs and that were not picked. */
  readonly missing: readonly string[];
}

export interface Picked {
  readonly described: DescribedFunction;
  readonly picks: Picks;
  readonly names: NamedCells;
}

/** The formula of one row; columns are of that row. Of two lists the second goes across, beside a column each does. */
export function makeFormula({ described, picks, names }: Picked, row: number): FormulaText {
  let isAcross = Object.values(picks).some(({ kind }) => kind === "column");
  let spills = false;
  const texts = described.arguments.map((argument) => {
    const pick = picks[argument.name] ?? leftOutPick;
    const name = nameIn(pick, names);
    if (name === null) return textOf(argument, pick, row);
    if (names.isSingle(name)) return name;
    const text = isAcross ? `TRANSPOSE(${name})` : name;
    [spills, isAcross] = [true, true];
    return text;
  });
  const missing = described.arguments
    .filter(({ optional }, index) => !optional && texts[index] === "")
    .map(({ name }) => name);
  while (texts.at(-1) === "") texts.pop();
  return { formula: `=${described.name}(${texts.join(",")})`, missing, spills };
}

function nameIn(pick: Pick, names: NamedCells): string | null {
  const text = pick.kind === "list" ? pick.name : pick.kind === "typed" ? pick.text.trim() : "";
  return names.has(text) ? text : null;
}

function textOf({ name, usedWhenLeftOut }: FunctionArgument, pick: Pick, row: number): string {
  if (pick.kind === "left-out") return "";
  if (pick.kind === "column") return `${columnName(pick.col)}${row + 1}`;
  if (pick.kind === "days-ago") return pick.days === 0 ? "TODAY()" : `TODAY()-${pick.days}`;
  if (pick.kind === "list") return "";
  if (pick.kind === "word") return pick.word === usedWhenLeftOut ? "" : literal(pick.word);
  const text = pick.text.trim();
  const reference = referenceIn(text);
  if (text === "" || (reference !== null && isCell(reference))) return text;
  const store = name === "store" ? parseStoreNumber(text) : null;
  return store === null || isInvError(store) ? literal(text) : String(store);
}

/** Text in quotes, so that the zeros of a GTIN stay; TRUE and FALSE as they are. */
function literal(text: string): string {
  const upper = text.toUpperCase();
  return upper === "TRUE" || upper === "FALSE" ? upper : `"${text.replaceAll('"', '""')}"`;
}
