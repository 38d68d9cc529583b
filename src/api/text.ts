/**
 * Text that came from the service, made fit for a cell and a list: one line, no control or direction
 * marks, no token, bounded. Whatever of an answer a person may see passes through here: reasons, trace
 * ids, areas, states, event types, cross references. The refusal of a token is told in INV's own words.
 */
import { withoutBearer } from "./withheld";

const longestReason = 120;
/** Of a value whose shape is not known; a documented one would fit. */
const longestJson = 500;

/** Codes and identifiers: nothing in them to clean. Most texts of an answer are of this kind. */
const isCode = /^[\w-]{1,40}$/;

/** One line of at most 120 characters, unless told otherwise, or "" where there is no text. */
export function plainText(value: unknown, longest = longestReason): string {
  if (typeof value !== "string") return "";
  if (isCode.test(value)) return value;
  // Cut before cleaning too: a hostile reason may be megabytes.
  const line = withoutBearer(value.slice(0, 1000).replace(/[\p{C}\s]+/gu, " ")).trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** A value of unknown shape as such a line: texts as they are, the rest as JSON. */
export function plainJson(value: unknown): string {
  if (typeof value === "string") return plainText(value);
  try {
    return plainText(JSON.stringify(value), longestJson);
  } catch {
    // Nested deeper than can be written, though it could be read.
    return "…";
  }
}

/** A reason to stand within a sentence: bounded, and without a full stop of its own. */
export function reasonText(value: unknown): string {
  const reason = plainText(value).slice(0, 60).replace(/\.$/, "");
  return reason === "" ? "no reason given" : reason;
}

/** For comparing with documented texts: letter case, outer blanks and a closing full stop do not matter. */
export function sameText(text: string, documented: string): boolean {
  return folded(text) === folded(documented);
}

/** True for HTML (and XML) in place of JSON. */
export function isWebPage(bodyText: string): boolean {
  return bodyText.trimStart().startsWith("<");
}

function folded(text: string): string {
  return plainText(text).toLowerCase().replace(/\.$/, "");
}
