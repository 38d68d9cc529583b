/** The beginning of a function's name that stands before the caret of a formula. Pure. */

export interface NameAtCaret {
  readonly name: string;
  /** Where it begins. */
  readonly from: number;
}

/** Not after what makes it a part of a reference, such as `A1:B` or `Plan!C`. */
const lastName = /(?<![\p{L}\p{N}_.$!:'\])\\])[\p{L}_][\p{L}\p{N}_.]*$/u;

/** Null where there is none: in no formula, in a text, after anything else. */
export function nameAtCaret(text: string, caret: number): NameAtCaret | null {
  const before = text.slice(0, caret);
  const isInText = (before.split('"').length - 1) % 2 === 1;
  if (!before.startsWith("=") || isInText) return null;
  const name = lastName.exec(before)?.[0];
  return name === undefined ? null : { name, from: caret - name.length };
}
