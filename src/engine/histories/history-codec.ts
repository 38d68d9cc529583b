/**
 * `GET /events` for the batcher: requests one page of one history, then the next. Pages are joined in the order of arrival. A
 * whole history also answers the queries for single event types.
 * Invariant: paging ends. A repeated page token, or an absurd number of pages or events, is an error.
 */
import { buildEventsRequest, type EventsQuery, readEventsResponse } from "../../api/events";
import type { EventsOutcome, Failure } from "../../api/outcomes";
import { consumerIdOf } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { HistoryEvent } from "../../domain/records";
import { sentAtOf, type Call, newCall, hasWaiting } from "../entry";
import type { Answer } from "../answer";
import { emptyResult, type CallResult, type Codec } from "../codec";
import type { ConnectionContext } from "../connection-context";
import {
  type Events,
  type HistoryEntry,
  isUnreadableWhole,
  isWholeHistory,
  partOf,
  queryOf,
} from "./history-planner";

type HistoryWireOptions = Pick<ConnectionContext, "environment" | "credentials" | "clock" | "maxBytes">;

/** What earlier pages brought. */
export interface Pages {
  readonly token: string;
  /** The number of the requested page, from 2 on. */
  readonly number: number;
  readonly events: HistoryEvent[];
  readonly tokens: Set<string>;
}

type EventsAnswer = Exclude<EventsOutcome, Failure>;
type HistoryCall = Call<HistoryEntry, Pages>;
type HistoryResult = CallResult<Events, HistoryEntry, Pages>;

/** A busy item has some thousand events in the week that the service stores. */
const mostPages = 500;
const mostEvents = 100_000;

export function createHistoryCodec(
  options: HistoryWireOptions,
): Codec<Events, HistoryEntry, Pages, EventsAnswer> {
  const consumerId = consumerIdOf(options.credentials);
  const { environment, clock, maxBytes } = options;

  function read(call: HistoryCall, answer: EventsAnswer): HistoryResult {
    const { continuation } = call;
    if (answer.kind !== "page") {
      // This concerns the page and not the history, because the first page showed that the history exists.
      if (continuation !== null) return unanswered(call, brokenOff(continuation.number - 1, answer.error));
      return ended(call, { found: false, error: answer.error, fetchedAtMs: clock.now() });
    }
    const soFar: Omit<Pages, "token"> = continuation ?? { number: 1, events: [], tokens: new Set() };
    const { events, number, tokens } = soFar;
    for (const event of answer.events) events.push(event);
    const token = answer.nextPageToken;
    if (token === null) {
      return ended(call, { found: true, value: sortByTime(events), fetchedAtMs: clock.now() });
    }
    if (tokens.has(token) || number >= mostPages || events.length > mostEvents) {
      return unanswered(call, endless(number));
    }
    tokens.add(token);
    const next = { token, number: number + 1, events, tokens };
    // The next page shares the list of entries: an entry that joins while it is in flight gets all pages.
    const { entries, isEdit } = call;
    const page = newCall({
      entries,
      continuation: next,
      isEdit,
      isPartFilled: false,
      startedAt: sentAtOf(call),
    });
    return { ...emptyResult, follows: [page] };
  }

  return {
    build(call, accessToken, signal) {
      const company = environment.pacedBy === "server" ? { isEdit: call.isEdit, maxAgeMs: 0 } : null;
      return buildEventsRequest(environment, asked(call), { consumerId, accessToken, signal, company });
    },
    receive: (call, response) => readEventsResponse(response, asked(call), { maxBytes }),
    read,
    unanswered,
  };
}

function asked({ entries, continuation }: HistoryCall): EventsQuery {
  const query = queryOf(leadOf(entries));
  return continuation === null ? query : { ...query, pageToken: continuation.token };
}

/** The requested history. */
function leadOf([lead]: readonly HistoryEntry[]): HistoryEntry {
  if (lead === undefined) throw new Error("A call of no history.");
  return lead;
}

/** Returns everyone whom the answer serves. A whole history also answers those who wait for a part of it. */
function ended(call: HistoryCall, answer: Answer<Events>): HistoryResult {
  const lead = leadOf(call.entries);
  const known = { ...answer, sentAt: sentAtOf(call) };
  const others = isWholeHistory(lead) ? [...lead.group.entries.values()] : [];
  const parts = others.filter(
    (entry) => entry !== lead && (hasWaiting(entry) || call.entries.includes(entry)),
  );
  return {
    ...emptyResult,
    answered: [lead, ...parts].map((entry) => ({ entry, answer: partOf(known, entry.value) })),
  };
}

/** Fails a whole history that can't be read. Its parts are requested on their own. */
function unanswered({ entries }: HistoryCall, error: InvError): HistoryResult {
  const lead = leadOf(entries);
  const isLeadAlone = isUnreadableWhole(lead, error);
  const failing = isLeadAlone ? [lead] : entries;
  return {
    ...emptyResult,
    failed: failing.map((entry) => ({ entry, error })),
    again: isLeadAlone ? entries.slice(1) : [],
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

function brokenOff(pages: number, cause: InvError): InvError {
  const message = `The history broke off after page ${pages}: the service refused the next one. Refresh to ask for it anew.`;
  return new InvError("bad-answer", message, { ...cause.details, cause });
}

function endless(pages: number): InvError {
  const message = `The history did not end after ${pages} pages, or repeated a page. Ask for fewer days or one event type.`;
  return new InvError("bad-answer", message);
}
