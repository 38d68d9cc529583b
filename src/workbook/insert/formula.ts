/** Makes the text of a formula from the picks for its arguments. The cost and the cells use this text. */
import { columnName } from "../../formula/columns";
import { type Reference, referenceIn } from "../../formula/references";
import { isInvError } from "../../domain/errors";
import { parseStoreNumber } from "../../domain/identifiers";
import type { NamedCells } from "../lists/lists";
import type { DescribedFunction, FunctionArgument } from "./functions-list";
import { leftOutPick, type Pick, type Picks } from "./picks";

interface FormulaText {
  readonly formula: string;
  /** Whether the formula fills several cells, because it contains a name of several cells. */
  readonly spills: boolean;
  readonly missing: readonly string[];
}

export interface FormulaPicks {
  readonly described: DescribedFunction;
  readonly picks: Picks;
  readonly names: NamedCells;
}

/**
 * Makes the formula of one row. If it contains two lists, the second goes across; beside a column, every list goes across. Two
 * columns of the same Table stay as they are: each row has its pair of store and item.
 */
export function makeFormula({ described, picks, names }: FormulaPicks, row: number): FormulaText {
  let isAcross = Object.values(picks).some(({ kind }) => kind === "column");
  const isOfOneTable = !isAcross && areOfOneTable(Object.values(picks), names);
  let spills = false;
  const texts = described.arguments.map((argument) => {
    const pick = picks[argument.name] ?? leftOutPick;
    const name = nameIn(pick, names);
    if (name === null) return argumentText(argument, pick, row);
    if (names.isSingle(name)) return name;
    const text = isAcross ? `TRANSPOSE(${name})` : name;
    [spills, isAcross] = [true, !isOfOneTable];
    return text;
  });
  const missing = described.arguments
    .filter(({ optional }, index) => !optional && texts[index] === "")
    .map(({ name }) => name);
  while (texts.at(-1) === "") texts.pop();
  return { formula: `=${described.name}(${texts.join(",")})`, missing, spills };
}

function areOfOneTable(picks: readonly Pick[], names: NamedCells): boolean {
  const tables = picks.flatMap((pick) => {
    const name = nameIn(pick, names);
    return name === null ? [] : [/^([^[]+)\[/.exec(name)?.[1]?.toLowerCase()];
  });
  return tables.length > 1 && tables.every((table) => table !== undefined && table === tables[0]);
}

/** By the function's name without `INV.`. */
const headings: Readonly<Record<string, string>> = {
  QTY: "Quantity",
  UPDATED: "Updated (UTC)",
  ASOF: "As of (UTC)",
  STATUS: "Status",
  EVENTQTY: "Event quantity",
  LASTEVENT: "Last event (UTC)",
};

/** Returns the heading of the formula's column, with the chosen words: `Quantity, backroom`. */
export function headingOf({ described, picks }: FormulaPicks): string {
  const name = described.name.replace(/^INV\./, "");
  const words = described.arguments.flatMap(({ name: argument, usedWhenLeftOut }) => {
    const pick = picks[argument];
    const isNamed = pick?.kind === "word" && pick.word !== usedWhenLeftOut && argument !== "item_type";
    return isNamed ? [pick.word.toLowerCase().replaceAll("_", " ")] : [];
  });
  return [headings[name] ?? name, ...words].join(", ");
}

function nameIn(pick: Pick, names: NamedCells): string | null {
  const text = pick.kind === "list" ? pick.name : pick.kind === "typed" ? pick.text.trim() : "";
  return names.areaOf(text) === null ? null : text;
}

function argumentText({ name, usedWhenLeftOut }: FunctionArgument, pick: Pick, row: number): string {
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

function isCell({ rows, cols, isSpilled }: Reference): boolean {
  return rows === 1 && cols === 1 && !isSpilled;
}

/** Puts text into quotes, so that a GTIN keeps its zeros. TRUE and FALSE stay unquoted. */
function literal(text: string): string {
  const upper = text.toUpperCase();
  return upper === "TRUE" || upper === "FALSE" ? upper : `"${text.replaceAll('"', '""')}"`;
}
