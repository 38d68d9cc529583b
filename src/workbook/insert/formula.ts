/**
 * The text of a formula from what was picked for its arguments, and back: what stands in the text for each
 * argument. The text is made here once; what is previewed, priced and written is read from it.
 */
import { columnName } from "../../domain/columns";
import { isInvError } from "../../domain/errors";
import { parseStoreNumber } from "../../domain/store-number";
import { references } from "../references";
import type { DescribedFunction, FunctionArgument } from "./functions-list";
import { leftOut, type Pick, type Picks } from "./picks";

interface FormulaText {
  readonly formula: string;
  /** Arguments that the function needs and that were not picked. */
  readonly missing: readonly string[];
}

/** The formula of one row; columns are of that row. */
export function makeFormula(described: DescribedFunction, picks: Picks, row: number): FormulaText {
  const texts = described.arguments.map((argument) => textOf(argument, picks[argument.name] ?? leftOut, row));
  const missing = described.arguments
    .filter(({ optional }, index) => !optional && texts[index] === "")
    .map(({ name }) => name);
  while (texts.at(-1) === "") texts.pop();
  return { formula: `=${described.name}(${texts.join(",")})`, missing };
}

/** What stands for each argument of a formula that consists of one function; "" where it is left out. */
export function argumentTexts(formula: string): readonly string[] {
  const inner = formula.slice(formula.indexOf("(") + 1, -1);
  if (inner === "") return [];
  const texts = [""];
  for (const [token] of inner.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|[^"',]+|,|["']/g)) {
    if (token === ",") texts.push("");
    else texts.push(`${texts.pop() ?? ""}${token}`);
  }
  return texts;
}

/** The address of one cell, whatever its sheet, and nothing else. */
export function isCellAddress(text: string): boolean {
  const [only] = references(text).cells;
  return only !== undefined && only.text === text && only.rows === 1 && only.cols === 1;
}

function textOf({ name, usedWhenLeftOut }: FunctionArgument, pick: Pick, row: number): string {
  if (pick.kind === "left-out") return "";
  if (pick.kind === "column") return `${columnName(pick.col)}${row + 1}`;
  if (pick.kind === "days-ago") return pick.days === 0 ? "TODAY()" : `TODAY()-${pick.days}`;
  if (pick.kind === "word") return pick.word === usedWhenLeftOut ? "" : literal(pick.word);
  const text = pick.text.trim();
  if (text === "" || isCellAddress(text)) return text;
  const store = name === "store" ? parseStoreNumber(text) : null;
  return store === null || isInvError(store) ? literal(text) : String(store);
}

/** Text in quotes, so that the zeros of a GTIN stay; TRUE and FALSE as they are. */
function literal(text: string): string {
  const upper = text.toUpperCase();
  return upper === "TRUE" || upper === "FALSE" ? upper : `"${text.replaceAll('"', '""')}"`;
}
