/** The argument of a call that is about to be typed: nothing of it stands yet, or the beginning of a text. Pure. */
import { callsIn } from "../../../formula/calls";
import { tokensOf } from "../../../formula/tokens";

export interface ArgumentAtCaret {
  /** The function's name, in capitals. */
  readonly callee: string;
  readonly index: number;
  /** Without the quotation mark. */
  readonly typed: string;
  /** Where it begins. */
  readonly from: number;
}

/** Null in no call, and where anything else stands. */
export function argumentAtCaret(text: string, caret: number): ArgumentAtCaret | null {
  if (!text.startsWith("=") || !/^\s*(?:[,)]|$)/.test(text.slice(caret))) return null;
  const tokens = tokensOf(text.slice(0, caret));
  // Calls that are not closed come last, the innermost first.
  const call = callsIn(tokens).find(({ close }) => close === tokens.length);
  const given = call?.arguments.at(-1);
  if (call === undefined || given === undefined) return null;
  const [first, ...more] = tokens.slice(given.from, given.to).filter(({ kind }) => kind !== "space");
  const isOpenText = first === undefined || /^"(?:[^"]|"")*$/.test(first.text);
  if (!isOpenText || more.length > 0) return null;
  const place = { callee: call.name, index: call.arguments.length - 1 };
  return { ...place, typed: first?.text.slice(1) ?? "", from: first?.at ?? caret };
}
