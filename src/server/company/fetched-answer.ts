/**
 * A search answer as the service gave it, with the moments of its call. It is read into records when the first
 * colleague wants one of them: of most answers nobody does, and reading costs more than passing on.
 */
import type { SearchStart } from "./search-query";
import { readSearchRecords, type SearchRecords } from "./search-records";

export interface FetchedAnswer {
  readonly start: SearchStart;
  readonly body: Buffer;
  /** When the call was sent, and when its answer was there. */
  readonly askedAtMs: number;
  readonly fetchedAtMs: number;
  /** The items it was asked for; none where its call cannot be shared. */
  values(): readonly string[];
  /** Where its records stand; null when it is not complete and faultless for its query. */
  records(): SearchRecords | null;
}

export type FetchedFacts = Pick<FetchedAnswer, "start" | "body" | "askedAtMs" | "fetchedAtMs">;

export function createFetchedAnswer(facts: FetchedFacts): FetchedAnswer {
  const body = ownBytes(facts.body);
  let read: SearchRecords | null | undefined;
  return {
    ...facts,
    body,
    values: () => facts.start.query()?.values ?? [],
    records() {
      const query = facts.start.query();
      // Once, also where nothing can be read.
      if (read === undefined) read = query && readSearchRecords(body, query);
      return read;
    },
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
