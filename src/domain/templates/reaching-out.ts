/**
 * Whether a template's formula stays within the workbook: every word of it must be known, a function from the list of
 * those allowed, INV's own, a name that LET or LAMBDA gives, a cell, a sheet. What merely is not known to be harmful is
 * refused: Excel's functions grow, and another add-in's may do anything. Placeholders are read as what they
 * become, and may not complete a word. Pure.
 */
import { allowedFunctions } from "./allowed-functions";

/** Named on their own, because people ask why. */
const fetching =
  /^(?:WEBSERVICE|FILTERXML|IMAGE|HYPERLINK|RTD|CALL|REGISTER(?:\.ID)?|EXEC|EVALUATE|CUBE[A-Z]+|STOCKHISTORY|SQL\.REQUEST|TRANSLATE|DETECTLANGUAGE|IMPORT[A-Z]+|COPILOT|PY|FIELDVALUE)$/;
/** Reads what only its text names, or what the machine is; within the workbook otherwise. */
const reading = /^(?:INFO|CELL|INDIRECT)$/;

/** Whether a function of this name fetches, starts or calls something outside the workbook. */
export function fetchesOrCalls(word: string): boolean {
  return fetching.test(word.toUpperCase());
}

/** The formula with nothing in its texts. */
export function emptyTexts(formula: string): string {
  return formula.replaceAll(/"(?:[^"]|"")*"/g, '""');
}

const token = new RegExp(
  [
    String.raw`(?<text>"(?:[^"]|"")*")`,
    String.raw`(?<quoted>'(?:[^']|'')*')(?<quotedSheet>!?)`,
    String.raw`(?<bracketed>\[(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*\])(?<file>[\p{L}\p{N}_.]*'?!)?`,
    String.raw`#(?:N\/A|REF!|VALUE!|DIV\/0!|NUM!|NULL!|NAME\?|SPILL!|CALC!)`,
    String.raw`\$?[A-Za-z]{1,3}\$?\d{1,7}(?![\p{L}\p{N}_.(!\\])`,
    String.raw`\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\p{L}\p{N}_.(!\\])`,
    String.raw`(?<word>[\p{L}_\\][\p{L}\p{N}_.\\?]*)(?=(?<next>\s*[(]|!|\[|))`,
    String.raw`\d+(?:\.\d*)?(?:E[+-]?\d+)?`,
    String.raw`(?<outside>\\|\/\/)`,
  ].join("|"),
  "giu",
);

const numberWords: ReadonlySet<string> = new Set(["row", "first", "last"]);
const rangeWords: ReadonlySet<string> = new Set(["stores", "items"]);

/** A fault in words, to stand after the place; null where it stays within. */
export function reachingOut(formula: string): string | null {
  const bare = emptyTexts(formula);
  const completing =
    /(?<=[\p{L}\p{N}_.\\])\{(?!row\}|first\}|last\})[a-z][a-z0-9-]*\}|\{[a-z][a-z0-9-]*\}(?=[\p{L}_.(\\])/u;
  const completed = completing.exec(bare)?.[0];
  if (bare.includes("|")) return anotherFile;
  if (completed !== undefined) return `the placeholder ${completed} stands within a word`;
  const read = bare.replaceAll(/\{([a-z][a-z0-9-]*)\}/g, (_all, word: string) => valueLike(word));
  const own = ownNames(read);
  for (const match of read.slice(1).matchAll(token)) {
    const fault = faultOf(match.groups ?? {}, own);
    if (fault !== null) return fault;
  }
  return null;
}

type Groups = Readonly<Record<string, string | undefined>>;

function faultOf(groups: Groups, own: ReadonlySet<string>): string | null {
  const { quoted, quotedSheet, bracketed, file, word, next = "", outside } = groups;
  if (outside !== undefined || file !== undefined) return anotherFile;
  if (bracketed !== undefined) return /\.xl|https?:|\|/i.test(bracketed) ? anotherFile : null;
  if (quoted !== undefined) {
    // A sheet's name cannot hold these; a path or a workbook's name does.
    return quotedSheet === "!" && !/[[\]:*?/\\|]|\.[a-z]{2,4}'$/i.test(quoted) ? null : anotherFile;
  }
  return word === undefined ? null : faultOfWord(word, next.trim(), own);
}

const anotherFile = "the formula refers to another file or program";

function faultOfWord(word: string, next: string, own: ReadonlySet<string>): string | null {
  const name = word.replace(/^(?:_xlfn\.|_xlws\.|_xlpm\.|_xleta\.)+/i, "").toUpperCase();
  if (fetching.test(name) || reading.test(name)) return `${name} reaches outside the workbook`;
  if (next === "!") return name.includes(".") ? anotherFile : null;
  const isCalled = next === "(";
  if (allowedFunctions.has(name) || /^INV\.[A-Z]+$/.test(name)) return null;
  // Where Excel has, or gets, a function of that name, a call means the function.
  const mayBeFunction = isCalled && !name.includes("_") && name.length > 1;
  if (own.has(name) && !mayBeFunction) return null;
  const isDefinedName = !isCalled && name.includes("_") && !/[.\\?]/.test(name) && !/^_XL/.test(name);
  if (isDefinedName || next === "[") return null;
  return isCalled && own.has(name)
    ? `${word} may be a function of Excel: a name that is called needs an underscore`
    : `${name} is not among the functions that a template may use`;
}

/** Names that LET and LAMBDA give: a word alone between a parenthesis or comma of theirs and the next comma. */
function ownNames(formula: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { index, 0: opening } of formula.matchAll(/(?<![\p{L}\p{N}_])(?:LET|LAMBDA)\s*\(/giu)) {
    for (const argument of argumentsFrom(formula, index + opening.length)) {
      const name = /^\s*(?:_xlpm\.)?([\p{L}_][\p{L}\p{N}_]*)\s*$/iu.exec(argument)?.[1];
      if (name !== undefined) names.add(name.toUpperCase());
    }
  }
  return names;
}

/** All but the last, which is what is calculated. */
function argumentsFrom(formula: string, start: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < formula.length; at++) {
    const mark = formula[at] ?? "";
    if ("({[".includes(mark)) depth++;
    else if (")}]".includes(mark)) depth--;
    if (depth < 0) break;
    if (mark !== "," || depth > 0) continue;
    found.push(formula.slice(from, at));
    from = at + 1;
  }
  return found;
}

/** What a placeholder may become, as far as reading goes. */
function valueLike(word: string): string {
  if (numberWords.has(word) || word === "store" || word === "item") return "1";
  return rangeWords.has(word) ? "A1" : "A";
}
