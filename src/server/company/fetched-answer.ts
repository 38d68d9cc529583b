/**
 * A search answer as the service gave it, with the moments of its call. It is read into records when the first
 * colleague wants one of them: of most answers nobody does, and reading costs more than passing on.
 */
import type { SearchQuery } from "./search-query";
import { readSearchRecords, type SearchRecords } from "./search-records";

export interface FetchedAnswer {
  readonly query: SearchQuery;
  readonly body: Buffer;
  /** When the call was sent, and when its answer was there. */
  readonly askedAtMs: number;
  readonly fetchedAtMs: number;
  /** Where its records stand; null when it is not complete and faultless for its query. */
  records(): SearchRecords | null;
}

export type FetchedFacts = Pick<FetchedAnswer, "query" | "body" | "askedAtMs" | "fetchedAtMs">;

export function createFetchedAnswer(facts: FetchedFacts): FetchedAnswer {
  const body = ownBytes(facts.body);
  let read: SearchRecords | null | undefined;
  return {
    ...facts,
    body,
    // Once, also where nothing can be read.
    records: () => (read === undefined ? (read = readSearchRecords(body, facts.query)) : read),
  };
}

/** What reading from the network may leave around an answer: its head. */
const mostBeside = 1_024;

/** Bytes of its own where the answer is a small part of a larger piece of memory, which it would keep alive. */
function ownBytes(body: Buffer): Buffer {
  if (body.buffer.byteLength <= body.length + mostBeside) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}
