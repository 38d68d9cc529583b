/**
 * One call of `GET /events`: one page of one history, and the call for the page after it. Pages are put
 * together in the order they came. The whole history answers the queries for single event types that ride on it.
 * Invariant: following the pages ends. A token that comes again, or an absurd number of pages or events,
 * ends it with an error.
 */
import { buildEventsRequest, readEventsResponse } from "../../api/events";
import type { EventsOutcome, Failure } from "../../api/outcomes";
import type { Environment } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { HistoryEvent } from "../../domain/records";
import type { Clock } from "../clock";
import type { Carrier } from "../entry";
import { type Answered, type Call, newRetryState } from "../send/call";
import type { Answer } from "../answer";
import type { Events, HistoryEntry, HistoryGroups } from "./history-groups";
import { sortByTime } from "./history-key";

/** A history on its way, to all entries that it answers. The first is the one asked for. */
export interface Reading extends Carrier<HistoryEntry> {
  readonly entries: HistoryEntry[];
  readonly proof?: ((error: InvError | null) => void) | undefined;
}

export interface PageTools {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly groups: HistoryGroups;
  readonly maxBytes: number;
  /** The call lets go of these: those still wanted wait in the queue again, before those that came later. */
  readonly putBack: (entries: readonly HistoryEntry[]) => void;
}

/** What the pages before this one brought. */
interface PageState {
  readonly token: string;
  readonly number: number;
  readonly events: HistoryEvent[];
  readonly tokens: Set<string>;
}

export interface PageLoad {
  readonly reading: Reading;
  readonly isEdit: boolean;
  /** Null for the first page. */
  readonly page: PageState | null;
}

/** A busy item has some thousand events in the week that the service keeps. */
const mostPages = 500;
const mostEvents = 100_000;

type PageAnswer = Exclude<EventsOutcome, Failure>;

export function createReading(entries: HistoryEntry[], proof?: Reading["proof"]): Reading {
  return { entries, proof, asked: null, holds: (entry) => entries.includes(entry) };
}

export function createPageCall(tools: PageTools, load: PageLoad): Call {
  const { reading, page } = load;
  const { groups, clock } = tools;
  const { entries } = groups;
  const [lead] = reading.entries as [HistoryEntry, ...HistoryEntry[]];
  const query = page === null ? lead.query : { ...lead.query, pageToken: page.token };
  entries.carriers.add(reading);

  async function read(response: Response): Promise<Failure | Answered> {
    const outcome = await readEventsResponse(response, query, { maxBytes: tools.maxBytes });
    return isAnswer(outcome) ? { kind: "answered", settle: () => settle(outcome) } : outcome;
  }

  function settle(outcome: PageAnswer): Call | null {
    if (outcome.kind !== "page" && page !== null) {
      // Refused or not found is the page, not the history, which its first page showed to be there.
      fail(brokenOff(page.number - 1, outcome.error));
      return null;
    }
    if (outcome.kind !== "page") {
      end({ found: false, error: outcome.error, fetchedAtMs: clock.now() });
      return null;
    }
    const events = page?.events ?? [];
    for (const event of outcome.events) events.push(event);
    const token = outcome.nextPageToken;
    if (token === null) {
      lead.pages = page?.number ?? 1;
      end({ found: true, value: sortByTime(events), fetchedAtMs: clock.now() });
      return null;
    }
    const tokens = page?.tokens ?? new Set<string>();
    const number = (page?.number ?? 1) + 1;
    const endless = tokens.has(token) || number > mostPages || events.length > mostEvents;
    if (endless) {
      fail(endlessError(number - 1));
      return null;
    }
    tokens.add(token);
    return createPageCall(tools, { ...load, page: { token, number, events, tokens } });
  }

  function end(answer: Answer<Events>): void {
    entries.carriers.delete(reading);
    const { asked } = reading;
    if (asked === null) throw new Error("An answer came to a call that was not sent.");
    entries.answered(lead, { ...answer, asked });
    groups.changed(lead);
    for (const entry of reading.entries.slice(1)) {
      groups.answeredByWhole(entry);
    }
    reading.proof?.(null);
  }

  /** A whole history that cannot be read need not fail the parts of it: each may be had on its own. */
  function fail(error: InvError): void {
    entries.carriers.delete(reading);
    const isWhole = lead.query.eventType === undefined;
    if (isWhole && (error.code === "bad-answer" || error.code === "too-large")) {
      lead.pages = Infinity;
      tools.putBack(reading.entries.splice(1));
    }
    for (const entry of reading.entries) {
      entries.unanswered(entry, error);
      groups.changed(entry);
    }
    reading.proof?.(error);
  }

  const call: Call = {
    isEdit: load.isEdit,
    isPartFilled: page === null && !load.isEdit && lead.query.eventType !== undefined,
    retry: newRetryState(),
    // A history is as old as its first page.
    sent(asked) {
      if (page === null) reading.asked = asked;
    },
    waits() {
      if (page !== null) return call;
      const { asked } = reading;
      if (asked !== null && reading.entries.some(({ wantedEpoch }) => wantedEpoch > asked.epoch)) {
        return call.putBack();
      }
      reading.asked = null;
      return call;
    },
    build: (options) => buildEventsRequest(tools.environment, query, options),
    read,
    putBack() {
      if (page !== null) return call;
      reading.asked = null;
      if (reading.proof !== undefined) return call;
      entries.carriers.delete(reading);
      tools.putBack(reading.entries);
      return null;
    },
    fail,
  };
  return call;
}

function isAnswer(outcome: EventsOutcome): outcome is PageAnswer {
  return outcome.kind === "page" || outcome.kind === "none" || outcome.kind === "request-refused";
}

function brokenOff(pages: number, cause: InvError): InvError {
  const message = `The history broke off after page ${pages}: the service refused the next one. Refresh to ask for it anew.`;
  return new InvError("bad-answer", message, { ...cause.details, cause });
}

function endlessError(pages: number): InvError {
  const message = `The history did not end after ${pages} pages, or repeated a page. Ask for fewer days or one event type.`;
  return new InvError("bad-answer", message);
}
