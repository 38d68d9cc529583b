/**
 * What the calls brought that somebody waited for, as it is read by others than who asked: the records of their items, or
 * what a failure or a refusal means for who waited.
 */
import type { RelayedAnswer } from "../answer";
import type { CallOutcome } from "./pending-call";
import { readSearchRecords, type SearchRecords } from "./search-records";

/** An item's record as a caller gets it. */
export interface Part {
  readonly record: string;
  readonly around: string;
  readonly fetchedAtMs: number;
  /** This call itself has asked the service for it. */
  readonly isOwn: boolean;
}

/** What a caller is given. */
export type Gathered =
  Exclude<Verdict, { kind: "parts" }> | { readonly kind: "parts"; readonly parts: ReadonlyMap<string, Part> };

type Verdict =
  | { readonly kind: "parts" }
  /** For who waits as it stands. */
  | { readonly kind: "answer"; readonly answer: RelayedAnswer }
  /** Each asks for themselves. */
  | { readonly kind: "alone" }
  /** The caller wants it no more. */
  | { readonly kind: "left" };

/** An outcome as it is read by somebody else than who asked. */
export type ReadOutcome =
  | Exclude<CallOutcome, { kind: "answered" }>
  | { readonly kind: "records"; readonly records: SearchRecords; readonly fetchedAtMs: number };

/** What is not to be trusted is a refusal: for who asked, and for nobody else. */
export function readOutcome(outcome: CallOutcome | null): ReadOutcome | null {
  if (outcome?.kind !== "answered") return outcome;
  const { answer, query, fetchedAtMs } = outcome;
  const records = readSearchRecords(answer.body, query);
  return records === null ? { kind: "refused", answer } : { kind: "records", records, fetchedAtMs };
}

/** Of what a call brought, the records that were awaited from it. */
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
 * What the outcomes mean for a caller some of whose items others had or were bringing. A failure reaches all who
 * waited. A refusal of the rest of a call is no answer to the whole, since it may name items by their place, unless it
 * is about the caller's token.
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
