/**
 * The one check that decides what the browser workbook's grid can't calculate as Excel does. The grid would show some of these
 * formulas a number that is wrong or never changes, so each is an error, with a reason that says what to write instead.
 * `inspectFormula` reads only the text, so its result can be kept; `problemIn` compares it with the workbook.
 */
import { callsIn, namesIn, plainName } from "./calls";
import { areaOfCells, isFixed } from "./cells";
import { columnName } from "./columns";
import { fetchingFunctions } from "./outside-access";
import { isOfAnotherBook, sheetNamed } from "./references";
import { isSymbol, longestFormula, type Token, tokensOf } from "./tokens";

export interface FormulaProblem {
  readonly error: "#NAME?" | "#REF!" | "#VALUE!";
  readonly reason: string;
}

export interface InspectedFormula {
  /** What is wrong in any workbook. */
  readonly problem: FormulaProblem | null;
  /** Functions that it calls, in capitals. */
  readonly functions: readonly string[];
  /** Names that it doesn't call, as it spells them. */
  readonly names: readonly string[];
  readonly sheets: readonly string[];
  /** References to one cell. */
  readonly cells: readonly SingleCell[];
}

interface SingleCell {
  /** Null for the formula's own sheet. */
  readonly sheet: string | null;
  readonly row: number;
  readonly col: number;
  readonly isRowFixed: boolean;
  readonly isColFixed: boolean;
}

/** The workbook, seen from the formula's cell. */
export interface GridSurroundings {
  /** @param name in capitals */
  isFunction(name: string): boolean;
  /** The formula of a defined name, with its `=`; null if there is no such name. */
  formulaOf(name: string): string | null;
  /** The size of a sheet, or of the formula's own for null; null if there is no such sheet. */
  sizeOf(sheet: string | null): { readonly rows: number; readonly cols: number } | null;
  /** The sheet whose name differs only in upper and lower case; null if there is none. */
  alike(sheet: string): string | null;
}

/** How far a formula was filled from the cell for which its text is spelled. */
interface Offset {
  readonly rows: number;
  readonly cols: number;
}

export function inspectFormula(formula: string): InspectedFormula {
  const nothing = { functions: [], names: [], sheets: [], cells: [] };
  if (formula.length > longestFormula) {
    return { problem: value(`A formula can have at most ${longestFormula} characters.`), ...nothing };
  }
  const tokens = tokensOf(formula).filter((token, index) => index > 0 || !isSymbol(token, "="));
  const problem = tokens.reduce<FormulaProblem | null>((found, _, at) => found ?? refused(tokens, at), null);
  if (problem !== null) return { problem, ...nothing };
  const named = [...namesIn(tokens)];
  const own = named.find(({ isCalled, isOwn }) => isCalled && isOwn)?.token.text;
  if (own !== undefined) {
    return {
      problem: value(`${own} is a function that the formula names itself. ${unavailable}`),
      ...nothing,
    };
  }
  const others = named.filter(({ isOwn }) => !isOwn);
  return {
    problem: misplaced(tokens),
    functions: others.filter(({ isCalled }) => isCalled).map(({ token }) => token.text.toUpperCase()),
    names: others.filter(({ isCalled }) => !isCalled).map(({ token }) => token.text),
    sheets: tokens.filter(({ kind }) => kind === "sheet").map(({ text }) => sheetNamed(text)),
    cells: tokens.flatMap((_, at) => singleCell(tokens, at) ?? []),
  };
}

const unavailable = "That isn't available here.";
const noOffset = { rows: 0, cols: 0 };
/** Names that refer to names can refer to themselves. */
const maxNameDepth = 8;

/** Returns null if the grid can calculate the formula. */
export function problemIn(
  inspected: InspectedFormula,
  surroundings: GridSurroundings,
  offset: Offset = noOffset,
): FormulaProblem | null {
  return problemWithin(inspected, surroundings, { offset, depth: 0 });
}

function problemWithin(
  { problem, functions, names, sheets, cells }: InspectedFormula,
  surroundings: GridSurroundings,
  { offset, depth }: { readonly offset: Offset; readonly depth: number },
): FormulaProblem | null {
  if (problem !== null) return problem;
  for (const sheet of sheets) {
    if (surroundings.sizeOf(sheet) === null) {
      const alike = surroundings.alike(sheet);
      const hint = alike === null ? "" : ` Upper and lower case matter here: write ${alike}.`;
      return reference(`There is no sheet "${sheet}" in this workbook.${hint}`);
    }
  }
  for (const cell of cells) {
    const size = surroundings.sizeOf(cell.sheet);
    const row = cell.row + (cell.isRowFixed ? 0 : offset.rows);
    const col = cell.col + (cell.isColFixed ? 0 : offset.cols);
    if (size === null || (row < size.rows && col < size.cols)) continue;
    const [name, last] = [`${columnName(col)}${row + 1}`, `${columnName(size.cols - 1)}${size.rows}`];
    return reference(`${name} is outside the sheet, which ends at ${last} here.`);
  }
  for (const name of [...functions, ...names]) {
    const formula = surroundings.formulaOf(name);
    if (formula !== null) {
      const found =
        depth < maxNameDepth &&
        problemWithin(inspectFormula(formula), surroundings, { offset: noOffset, depth: depth + 1 });
      if (found) return { ...found, reason: `${name} stands for ${formula}. ${found.reason}` };
    } else if (functions.includes(name)) {
      if (!surroundings.isFunction(name)) return unknownFunction(name);
    } else if (!/^(?:TRUE|FALSE)$/i.test(name)) {
      const isFunction = surroundings.isFunction(name.toUpperCase());
      return isFunction
        ? value(`A function as an argument (${name}) isn't available here. Write LAMBDA(x,${name}(x)).`)
        : unknown(`${name} isn't known here. No function, cell or name of this workbook is called that.`);
    }
  }
  return null;
}

function unknownFunction(name: string): FormulaProblem {
  return fetchingFunctions.test(plainName(name))
    ? unknown(`${name} reaches outside the workbook. ${unavailable}`)
    : unknown(`${name} isn't known here. This workbook uses English function names.`);
}

const ofSheets = "Its value would stay when sheets are added, moved or deleted.";

/**
 * Functions that depend on cells, sheets and names that the grid doesn't see, each with the rest of the reason. They
 * would keep their values when these change or go.
 */
const unfollowed: ReadonlyMap<string, string> = new Map([
  ["INDIRECT", "Name the cells, or choose among them with INDEX or CHOOSE."],
  ["SHEET", ofSheets],
  ["SHEETS", ofSheets],
]);

/** What the grid can't follow, wherever it is in a formula. */
function refused(tokens: readonly Token[], at: number): FormulaProblem | null {
  const { kind, text } = tokens[at] ?? { kind: "space", text: " " };
  const before = tokens[at - 1];
  switch (kind) {
    case "sheet":
      if (isOfAnotherBook(text)) {
        return reference(`Another workbook's cells (${text}) aren't available here.`);
      }
      return sheetNamed(text).includes(":")
        ? value("References to several sheets aren't available here. Name each sheet: =Jan!A1+Feb!A1.")
        : null;
    case "brackets":
      return value(`Columns of tables (${text}) aren't available here. Name the cells.`);
    case "cells":
      if (/\.:|:\./.test(text)) return value(`${text}, which leaves out blank cells, isn't available here.`);
      return /^\$?\d+:/.test(text)
        ? value(`Whole rows (${text}) aren't available here. Name their columns too, such as A1:Z3.`)
        : null;
    case "number":
      return /e/i.test(text)
        ? value(`Numbers such as ${text} aren't available in formulas here. Write all digits.`)
        : null;
    case "text":
      return /^"(?:[^"]|"")*"$/.test(text) ? null : value(`A text has no closing quotation mark: ${text}`);
    case "unknown":
      return value(`The formula can't be read from ${text.slice(0, 20)} on.`);
    case "name": {
      const name = plainName(text);
      // Blanks that follow each other are one token.
      if (tokens[tokens[at + 1]?.kind === "space" ? at + 2 : at + 1]?.text !== "(") return null;
      const rest = unfollowed.get(name);
      if (rest !== undefined) return value(`${name} isn't available here. ${rest}`);
      return fetchingFunctions.test(name) ? unknownFunction(name) : null;
    }
    case "symbol":
      if (text === "#") {
        const cells = before?.kind === "cells" ? before.text : "A1";
        return value(`${cells}#, all cells that a formula fills, isn't available here. Name the cells.`);
      }
      if (text === "@") return value("@ isn't available here. Name the cell itself.");
      return /\.:|:\./.test(text) ? value(`${text} isn't available here. Use a colon.`) : null;
    default:
      return null;
  }
}

type Bracket = "call" | "group" | "array";

const openings: Readonly<Record<string, Bracket>> = { "(": "group", "{": "array" };
const decimalHint = "Use commas between arguments and a point for decimals.";

/** Finds operators and operands that don't follow each other as in a formula of the grid. */
function misplaced(tokens: readonly Token[]): FormulaProblem | null {
  const names = new Set(callsIn(tokens).map(({ nameIndex }) => nameIndex));
  const open: Bracket[] = [];
  let isSpaced = false;
  /** What is before: nothing of this argument, an operator, or an operand. */
  let last: "start" | "operator" | "operand" = "start";
  for (const [at, token] of tokens.entries()) {
    const { kind, text } = token;
    const inside = open.at(-1);
    if (kind === "space") {
      isSpaced = last === "operand";
      continue;
    }
    const wasSpaced = isSpaced;
    isSpaced = false;
    if (kind === "symbol" && !(text in openings)) {
      if (text === ")" || text === "}") {
        const isEmpty = last === "start" && inside !== "call";
        if (
          inside === undefined ||
          (inside === "array") !== (text === "}") ||
          isEmpty ||
          last === "operator"
        ) {
          return unreadable(tokens, at);
        }
        open.pop();
        last = "operand";
      } else if (text === "," || text === ";") {
        if (last === "operator") return unreadable(tokens, at);
        if (inside !== "array") {
          if (text === ";") return value(semicolonReason(tokens));
          if (inside !== "call") {
            return value(`A comma isn't available outside a function's arguments here. ${decimalHint}`);
          }
        }
        last = "start";
      } else if (text === "%") {
        if (last !== "operand") return unreadable(tokens, at);
      } else if (/^[-+]$/.test(text)) last = "operator";
      else {
        if (last !== "operand") return unreadable(tokens, at);
        if (text === ":" && !joinsCells(tokens, at, names)) {
          return value("This range isn't available here. Write its first and its last cell, such as A1:B3.");
        }
        last = "operator";
      }
      continue;
    }
    // An operand, or the bracket before one. Parentheses after a closing one call a LAMBDA.
    const isCallOfResult = text === "(" && isSymbol(tokens[at - 1], ")");
    const isArguments = text === "(" && names.has(indexBefore(tokens, at));
    if (last === "operand" && !isCallOfResult && !isArguments) {
      if (!wasSpaced) return unreadable(tokens, at);
      return value("A space between references, their common cells, isn't available here. Name the cells.");
    }
    if (kind === "symbol") {
      open.push(isCallOfResult || isArguments ? "call" : (openings[text] ?? "group"));
      last = "start";
      continue;
    }
    if (inside === "array" && (kind === "cells" || kind === "sheet" || names.has(at))) {
      return value("An array in braces can contain only numbers and texts here.");
    }
    last = kind === "sheet" ? last : "operand";
  }
  if (open.length > 0) return value("A closing parenthesis is missing.");
  return last === "operand" ? null : value("The formula isn't complete.");
}

/** Other formulas with semicolons have been respelled before. */
function semicolonReason(tokens: readonly Token[]): string {
  const grouped = tokens.find(({ kind, text }) => kind === "number" && /^\d{1,3}\.\d{3}$/.test(text))?.text;
  if (grouped === undefined) {
    return `A semicolon isn't available between arguments here. ${decimalHint}`;
  }
  const [store, decimals] = [grouped.replace(".", ""), grouped.replace(".", ",")];
  return `${grouped} can be read in two ways. Write a store as ${store}, and a number with decimals as ${decimals}.`;
}

/** Whether the grid follows the range: one end is the result of a function, as in A1:INDEX(A:A,3). */
function joinsCells(tokens: readonly Token[], at: number, called: ReadonlySet<number>): boolean {
  return isSymbol(tokens[at - 1], ")") || called.has(at + 1) || called.has(at + 2);
}

function indexBefore(tokens: readonly Token[], at: number): number {
  let before = at - 1;
  while (tokens[before]?.kind === "space") before -= 1;
  return before;
}

function singleCell(tokens: readonly Token[], at: number): SingleCell | null {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token?.kind !== "cells" || token.text.includes(":")) return null;
  const area = areaOfCells(token.text);
  const [, col = "", row = ""] = /^(\$?[A-Za-z]+)(\$?\d+)$/.exec(token.text) ?? [];
  if (area === null) return null;
  const sheet = before?.kind === "sheet" ? sheetNamed(before.text) : null;
  return { sheet, row: area.row, col: area.col, isRowFixed: isFixed(row), isColFixed: isFixed(col) };
}

function unreadable(tokens: readonly Token[], at: number): FormulaProblem {
  const rest = tokens
    .slice(at)
    .map(({ text }) => text)
    .join("");
  return value(`The formula can't be read from ${rest.slice(0, 20)} on.`);
}

const value = (reason: string): FormulaProblem => ({ error: "#VALUE!", reason });
const reference = (reason: string): FormulaProblem => ({ error: "#REF!", reason });
const unknown = (reason: string): FormulaProblem => ({ error: "#NAME?", reason });
