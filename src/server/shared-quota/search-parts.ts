/**
 * Reads the outcomes of calls for callers that waited for a part of their items: the records of these items, or what a
 * failure or a refusal of somebody's call means for them.
 */
import type { RelayedAnswer } from "../answer";
import type { CallOutcome } from "./pending-call";
import { readSearchRecords, type SearchRecords } from "./search-records";

/** An item's record for a caller's answer. */
export interface Part {
  readonly record: string;
  readonly around: string;
  readonly fetchedAtMs: number;
  /** The caller's own call has asked the service for it. */
  readonly isOwn: boolean;
}

/** What a caller gets. */
export type Gathered =
  Exclude<Verdict, { kind: "parts" }> | { readonly kind: "parts"; readonly parts: ReadonlyMap<string, Part> };

type Verdict =
  | { readonly kind: "parts" }
  /** Everybody who waits gets this answer unchanged. */
  | { readonly kind: "answer"; readonly answer: RelayedAnswer }
  /** The caller sends its call by itself. */
  | { readonly kind: "alone" }
  /** The caller doesn't want it any more. */
  | { readonly kind: "left" };

/** An outcome, parsed for callers other than the first asker. */
export type ReadOutcome =
  | Exclude<CallOutcome, { kind: "answered" }>
  | { readonly kind: "records"; readonly records: SearchRecords; readonly fetchedAtMs: number };

/** An answer that can't be read counts as a refusal: it reaches only the caller that asked for it. */
export function readOutcome(outcome: CallOutcome | null): ReadOutcome | null {
  if (outcome?.kind !== "answered") return outcome;
  const { answer, query, fetchedAtMs } = outcome;
  const records = readSearchRecords(answer.body, query);
  return records === null ? { kind: "refused", answer } : { kind: "records", records, fetchedAtMs };
}

/** Adds the awaited records of an outcome to `parts`. */
export function addParts(
  parts: Map<string, Part>,
  outcome: ReadOutcome | null,
  { isOwn, of }: { readonly isOwn: boolean; readonly of: readonly string[] },
): void {
  if (outcome?.kind !== "records") return;
  const { records, fetchedAtMs } = outcome;
  for (const value of of) {
    const record = records.of.get(value);
    if (record !== undefined) parts.set(value, { record, around: records.around, fetchedAtMs, isOwn });
  }
}

/**
 * Decides what a caller gets whose items came from several calls. A failure reaches everybody who waited. A refusal of the
 * caller's own, smaller call isn't an answer to the whole, because it may name items by position, unless it is about the
 * caller's token.
 */
export function judge(own: ReadOutcome | null, joined: readonly (ReadOutcome | null)[]): Verdict {
  if (own?.kind === "left") return own;
  const failed = [own, ...joined].find((outcome) => outcome?.kind === "failed");
  if (failed?.kind === "failed") return { kind: "answer", answer: failed.answer };
  if (own?.kind === "refused") {
    const isAboutToken = own.answer.status === 401 || own.answer.status === 403;
    return isAboutToken ? { kind: "answer", answer: own.answer } : { kind: "alone" };
  }
  return joined.every((outcome) => outcome?.kind === "records") ? { kind: "parts" } : { kind: "alone" };
}
