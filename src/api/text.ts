/**
 * Text that came from the service, made fit for a cell and a list: one line, no control characters,
 * bounded. Only reasons and trace ids pass through here; the refusal of a token is told in INV's own
 * words, because a careless gateway could repeat the token in its text.
 */

const longestReason = 120;

/** One line of at most 120 characters, or "" where there is no text. */
export function plainText(value: unknown): string {
  if (typeof value !== "string") return "";
  // Cut before cleaning too: a hostile reason may be megabytes.
  const line = value
    .slice(0, 1000)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return line.length > longestReason ? `${line.slice(0, longestReason - 1)}…` : line;
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
