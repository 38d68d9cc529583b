/**
 * Reads a template from outside: checks its shape, its size and its placeholders, and that no formula reaches outside the workbook.
 * A file that is passed around must not be able to send a planner's numbers anywhere, so the rule is stricter than for other formulas:
 * every word must be a known function of Excel or INV, a name that LET or LAMBDA defines, a cell, a sheet or a table. Placeholders are
 * read as what they become, and must not complete a word. Names every fault.
 */
import { count } from "../number-words";
import { areaOfCells } from "../../formula/cells";
import { findOutsideAccessAsTyped, findOutsideAccess } from "../../formula/outside-access";
import { type Template, mostTemplateCharacters, needsFacts, templateShape } from "./template";
import { invFunctionNamed, namesIn, plainName } from "../../formula/calls";
import { insideFunctions } from "../../formula/excel-functions";
import { respelled, tokensOf } from "../../formula/tokens";

export type ReadTemplate =
  | { readonly template: Template; readonly faults: null }
  | { readonly template: null; readonly faults: readonly [string, ...string[]] };

const mostFaults = 20;
const mostCells = 50_000;
/** As many as the largest sheet that can be saved has. Formats of a thousand times as many cells would stop a browser. */
const mostFormattedCells = 1_200_000;

const rowWords = ["store", "item", "store-name", "item-name", "row"];
const tableWords = ["first", "last", "beside"];
const gridWords = ["stores", "items"];
const pairWords = ["store", "item", "store-name", "item-name"];

export function readTemplateText(text: string): ReadTemplate {
  if (text.length > mostTemplateCharacters) {
    return refused([tooLong()]);
  }
  try {
    return readTemplate(JSON.parse(text));
  } catch {
    return refused(["The file is not valid JSON."]);
  }
}

export function readTemplate(json: unknown): ReadTemplate {
  const parsed = templateShape.safeParse(json);
  if (!parsed.success) {
    return refused(parsed.error.issues.map((issue) => faultWords(issue.path, issue.message)));
  }
  if (JSON.stringify(parsed.data).length > mostTemplateCharacters) return refused([tooLong()]);
  const faults = contentFaults(parsed.data);
  return faults.length === 0 ? { template: parsed.data, faults: null } : refused(faults);
}

function tooLong(): string {
  return `The template is longer than ${count(mostTemplateCharacters)} characters.`;
}

function refused(faults: readonly string[]): ReadTemplate {
  const [first = "The file is not a template.", ...others] = faults;
  return { template: null, faults: [first, ...others.slice(0, mostFaults - 1)] };
}

function faultWords(path: readonly PropertyKey[], message: string): string {
  const field = path.map(String).join(".");
  return field === "" ? `The file: ${message}` : `"${field}": ${message}`;
}

function contentFaults(template: Template): string[] {
  const { table, blocks = [], needs } = template;
  const faults: string[] = [];
  for (const [part, owner] of [
    ["table", "pairs"],
    ["grid", "grid"],
  ] as const) {
    if (template[part] === undefined) {
      if (needsFacts[needs].part === part) faults.push(`"${part}": is needed if "needs" is "${needs}"`);
    } else if (needsFacts[needs].part !== part) {
      faults.push(`"needs": must be "${owner}" if there is a ${part}`);
    }
  }
  const cells = blocks.reduce((sum, { rows }) => sum + rows.reduce((all, row) => all + row.length, 0), 0);
  if (cells > mostCells) {
    faults.push(`"blocks": contain ${count(cells)} cells; the limit is ${count(mostCells)}`);
  }
  const formatted = (template.cellFormats ?? []).reduce((sum, { area }) => sum + sizeOf(area), 0);
  if (formatted > mostFormattedCells) {
    faults.push(`"cellFormats": format ${count(formatted)} cells; the limit is ${count(mostFormattedCells)}`);
  }
  for (const [index, { rows }] of blocks.entries()) {
    const width = rows[0]?.length ?? 0;
    if (rows.some((row) => row.length !== width)) {
      faults.push(`"blocks.${index}.rows": rows of different lengths`);
    }
  }
  const ids = table?.columns.map(({ id }) => id) ?? [];
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index || rowWords.includes(id));
  if (repeated !== undefined) {
    faults.push(`"table.columns": the id "${repeated}" is used twice, or reserved`);
  }
  for (const { field, value, words } of texts(template, ids)) faults.push(...textFaults(field, value, words));
  return faults;
}

function sizeOf(area: string): number {
  const { rows = 0, cols = 0 } = areaOfCells(area) ?? {};
  return rows * cols;
}

interface Text {
  readonly field: string;
  readonly value: string;
  /** Placeholders with a meaning there. */
  readonly words: readonly string[];
}

function texts(
  { blocks = [], table, grid, needs, highlights = [] }: Template,
  ids: readonly string[],
): Text[] {
  const found: Text[] = [];
  const add = (field: string, value: unknown, words: readonly string[]): void => {
    if (typeof value === "string") found.push({ field, value, words });
  };
  const fixed = [
    ...(needsFacts[needs].fillsBlocks ? pairWords : []),
    ...(grid ? gridWords : []),
    ...(table ? [...tableWords, ...ids] : []),
  ];
  for (const [index, { rows }] of blocks.entries()) {
    for (const [r, row] of rows.entries()) {
      for (const [c, value] of row.entries()) add(`blocks.${index}.rows.${r}.${c}`, value, fixed);
    }
  }
  for (const [index, { cell }] of (table?.columns ?? []).entries()) {
    add(`table.columns.${index}.cell`, cell, [...rowWords, ...fixed]);
  }
  const rules = [
    ...(table?.highlights ?? []).map(({ rule }) => rule),
    ...(table?.columns ?? []).map(({ highlight }) => highlight),
    ...highlights.map(({ rule }) => rule),
    ...(grid?.highlights ?? []),
  ];
  for (const rule of rules) {
    if (rule?.kind === "formula") add("highlight", rule.formula, ["row", ...fixed]);
  }
  for (const [r, row] of (table?.beside?.rows ?? []).entries()) {
    for (const [c, value] of row.entries()) add(`table.beside.rows.${r}.${c}`, value, fixed);
  }
  if (grid !== undefined) add("grid.formula", grid.formula, gridWords);
  return found;
}

function textFaults(field: string, value: string, words: readonly string[]): string[] {
  const faults: string[] = [];
  for (const [, word = ""] of value.matchAll(/\{([a-z][a-z0-9-]*)\}/g)) {
    if (!words.includes(word)) faults.push(`"${field}": the placeholder {${word}} has no meaning there`);
  }
  const reached = value.startsWith("=")
    ? findOutsideAccessOfTemplate(value)
    : findOutsideAccessAsTyped(value);
  if (reached !== null) faults.push(`"${field}": ${reached}`);
  return faults;
}

const numberWords: ReadonlySet<string> = new Set(["row", "first", "last", "store", "item"]);
const rangeWords: ReadonlySet<string> = new Set(["stores", "items"]);
const completing =
  /(?<=[\p{L}\p{N}_.\\])\{(?!row\}|first\}|last\})[a-z][a-z0-9-]*\}|\{[a-z][a-z0-9-]*\}(?=[\p{L}_.(\\])/u;

/** Returns the fault, to follow its place in a sentence; null if the formula stays within the workbook. */
function findOutsideAccessOfTemplate(formula: string): string | null {
  const bare = respelled(tokensOf(formula), ({ kind }) => (kind === "text" ? '""' : undefined));
  const completed = completing.exec(bare)?.[0];
  if (completed !== undefined) return `the placeholder ${completed} is within a word`;
  const read = bare.replaceAll(/\{([a-z][a-z0-9-]*)\}/g, (_all, word: string) => valueLike(word));
  return findOutsideAccess(read) ?? unknownWord(read);
}

function unknownWord(formula: string): string | null {
  for (const { token, isCalled, isOwn } of namesIn(tokensOf(formula))) {
    const { text } = token;
    const name = plainName(text);
    if (insideFunctions.has(name) || invFunctionNamed(text) !== null) continue;
    // A defined name of the workbook. Without an underscore it may be a function of Excel, now or later.
    if (!isCalled && (isOwn || (name.lastIndexOf("_") > 0 && /^[^_.\\?][^.\\?]*$/.test(name)))) continue;
    if (isOwn && (name.includes("_") || name.length === 1)) continue;
    return isOwn
      ? `${text} may be a function of Excel: a name that is called needs an underscore`
      : `${name} is not among the functions that a template may use`;
  }
  return null;
}

/** Returns a value of the kind that the placeholder becomes. */
function valueLike(word: string): string {
  if (numberWords.has(word)) return "1";
  return rangeWords.has(word) ? "A1" : "A";
}
