/**
 * Where the elements of an array stand in the text of a JSON object. For text that `JSON.parse` has taken: only
 * strings and brackets matter then, and any encoding will do in which those are single characters.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Elements {
  /** Behind the array's opening bracket. */
  readonly start: number;
  /** At its closing bracket. */
  readonly end: number;
  /** Each without the white space around it. */
  readonly spans: readonly Span[];
}

/** The array that stands under this name in the outermost object; null when it is there twice or not at all. */
export function elementsOf(text: string, name: string): Elements | null {
  const fields = partsOf(text, text.indexOf("{"))?.spans ?? [];
  const named = fields.filter(({ start }) => nameAt(text, start) === name);
  const only = named.length === 1 ? named[0] : undefined;
  if (only === undefined) return null;
  const colonAt = text.indexOf(":", endOfString(text, only.start));
  const value = trimmed(text, { start: colonAt + 1, end: only.end });
  return text[value.start] === "[" ? partsOf(text, value.start) : null;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What stands between the commas of the array or object that opens here. */
function partsOf(text: string, opensAt: number): Elements | null {
  const spans: Span[] = [];
  let depth = 0;
  let start = opensAt + 1;
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    const closes = sign === closeList || sign === closeObject;
    if (sign === quote) at = endOfString(text, at) - 1;
    else if (sign === openList || sign === openObject) depth += 1;
    else if (depth > 0 && closes) depth -= 1;
    else if (depth === 0 && (sign === comma || closes)) {
      const span = trimmed(text, { start, end: at });
      if (span.end > span.start) spans.push(span);
      if (closes) return { start: opensAt + 1, end: at, spans };
      start = at + 1;
    }
  }
  return null;
}

/** Behind the closing quote of the string that opens here. */
function endOfString(text: string, opensAt: number): number {
  let at = text.indexOf('"', opensAt + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at + 1;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

function nameAt(text: string, start: number): string {
  return JSON.parse(text.slice(start, endOfString(text, start))) as string;
}

function trimmed(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end);
  const startsAt = start + part.length - part.trimStart().length;
  return { start: Math.min(startsAt, end), end: startsAt + part.trim().length };
}
