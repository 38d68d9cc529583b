/**
 * `GET /events` for the batcher: requests the pages of one history, one after another, and joins them in that order. A whole
 * history also answers the queries for single event types.
 * Invariant: paging ends. A repeated page token, or an absurd number of pages or events, is an error.
 */
import { buildEventsRequest, type EventsQuery, readEventsResponse } from "../../api/events";
import { type EventsOutcome, type Failure, isFailure } from "../../api/outcomes";
import { consumerIdOf } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { HistoryQuery } from "../../domain/records";
import { sentAtOf, type Call, newCall } from "../entry";
import type { Answer } from "../types";
import { emptyResult, type CallResult, type Codec } from "../planner-and-codec";
import type { ConnectionContext } from "../connection-context";
import {
  type Events,
  type HistoryEntry,
  isUnreadableWhole,
  isWholeHistory,
  partOf,
  queryOf,
} from "./history-planner";

type HistoryCall = Call<HistoryQuery, Events>;
type HistoryResult = CallResult<HistoryQuery, Events>;

/** A busy item has some thousand events in the week that the service stores. */
const maxPages = 500;
const maxEvents = 100_000;

export function createHistoryCodec(options: ConnectionContext): Codec<HistoryQuery, Events> {
  const consumerId = consumerIdOf(options.credentials);
  const { environment, clock, maxBytes } = options;

  function resultOf(call: HistoryCall, outcome: Exclude<EventsOutcome, Failure>): HistoryResult {
    const { pages } = call;
    if (outcome.kind !== "page") {
      // The first page showed that the history exists, so this error concerns only the page.
      if (pages !== null) return resultOfFailure(call, interrupted(pages.number - 1, outcome.error));
      return answered(call, { found: false, error: outcome.error, fetchedAtMs: clock.now() });
    }
    const { events: before, number, pageTokens } = pages ?? { events: [], number: 1, pageTokens: new Set() };
    const events = [...before, ...outcome.events];
    const pageToken = outcome.nextPageToken;
    if (pageToken === null) {
      return answered(call, { found: true, value: sortByTime(events), fetchedAtMs: clock.now() });
    }
    if (pageTokens.has(pageToken) || number >= maxPages || events.length > maxEvents) {
      return resultOfFailure(call, endless(number));
    }
    const continuation = newCall({
      // The same list, not a copy: an entry that joins while the next page is in flight gets all pages.
      entries: call.entries,
      pages: { pageToken, number: number + 1, events, pageTokens: new Set([...pageTokens, pageToken]) },
      isEdit: call.isEdit,
      isPartFilled: false,
      startedAt: sentAtOf(call),
    });
    return { ...emptyResult, continuation };
  }

  return {
    build(call, accessToken, signal) {
      const teamServerTerms = environment.pacedBy === "server" ? { isEdit: call.isEdit, maxAgeMs: 0 } : null;
      return buildEventsRequest(environment, pageOf(call), {
        consumerId,
        accessToken,
        signal,
        teamServerTerms,
      });
    },
    async receive(call, response, secrets) {
      const outcome = await readEventsResponse(response, pageOf(call), { maxBytes, secrets });
      return isFailure(outcome) ? outcome : { kind: "answered", read: () => resultOf(call, outcome) };
    },
    resultOfFailure,
  };
}

/** The page that this call requests. */
function pageOf({ entries, pages }: HistoryCall): EventsQuery {
  const query = queryOf(leadOf(entries));
  return pages === null ? query : { ...query, pageToken: pages.pageToken };
}

/** The requested history. */
function leadOf([lead]: readonly HistoryEntry[]): HistoryEntry {
  if (lead === undefined) throw new Error("A call of no history.");
  return lead;
}

/** Answers the history. A whole history also answers the entries of its event types. */
function answered(call: HistoryCall, answer: Answer<Events>): HistoryResult {
  const lead = leadOf(call.entries);
  const cached = { ...answer, sentAt: sentAtOf(call) };
  const sameHistory = isWholeHistory(lead) ? [...lead.group.entries.values()] : [];
  const parts = sameHistory.filter(
    (entry) => entry !== lead && (entry.waiters !== null || call.entries.includes(entry)),
  );
  return {
    ...emptyResult,
    answered: [lead, ...parts].map((entry) => ({ entry, answer: partOf(cached, entry.value) })),
  };
}

/** Fails the history. If a whole history can't be read, its event types are requested on their own. */
function resultOfFailure({ entries }: HistoryCall, error: InvError): HistoryResult {
  const lead = leadOf(entries);
  const isLeadAlone = isUnreadableWhole(lead, error);
  const failing = isLeadAlone ? [lead] : entries;
  return {
    ...emptyResult,
    unanswered: failing.map((entry) => ({ entry, error })),
    requeued: isLeadAlone ? entries.slice(1) : [],
  };
}

/** Sorts events by time. Events of one time keep their order, or reverse it if the service lists the newest first. */
function sortByTime(events: Events): Events {
  const first = events[0];
  const last = events[events.length - 1];
  const isNewestFirst = first !== undefined && last !== undefined && first.createdAtMs > last.createdAtMs;
  const inOrder = isNewestFirst ? [...events].reverse() : [...events];
  return inOrder.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

function interrupted(pages: number, cause: InvError): InvError {
  const message = `The service refused the next page after page ${pages} of the history. Refresh to request it again.`;
  return new InvError("bad-answer", message, { ...cause.details, cause });
}

function endless(pages: number): InvError {
  const message = `The history didn't end after ${pages} pages, or repeated a page. Request fewer days or one event type.`;
  return new InvError("bad-answer", message);
}
