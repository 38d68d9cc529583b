/**
 * One call of `GET /events`: one page of one history, and the call for the page after it. Pages are put
 * together in the order they came; sharing and settling are the jobs'.
 * Invariant: following the pages ends. A token that comes again, or an absurd number of pages or events,
 * ends it with an error.
 */
import { buildEventsRequest, readEventsResponse } from "../../api/events";
import type { EventsOutcome, Failure } from "../../api/outcomes";
import type { Environment } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { HistoryEvent } from "../../domain/records";
import { type Answered, type Call, newRetryState } from "../send/call";
import type { Clock } from "../clock";
import type { HistoryJobs, Job } from "./history-jobs";
import { sortByTime } from "./history-key";

export interface PageTools {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly jobs: HistoryJobs;
  readonly maxBytes: number;
  /** The job waits in line again, before those that came later. */
  readonly rejoin: (job: Job) => void;
}

/** What the pages before this one brought. */
interface PageState {
  readonly token: string;
  readonly number: number;
  readonly events: HistoryEvent[];
  readonly tokens: Set<string>;
}

export interface PageLoad {
  readonly job: Job;
  readonly isEdit: boolean;
  /** Null for the first page. */
  readonly page: PageState | null;
}

/** A busy item has some thousand events in the week that the service keeps. */
const mostPages = 500;
const mostEvents = 100_000;

type Answer = Exclude<EventsOutcome, Failure>;

export function createPageCall(tools: PageTools, load: PageLoad): Call {
  const { job, page } = load;
  const { jobs, clock } = tools;
  const query = page === null ? job.query : { ...job.query, pageToken: page.token };

  async function read(response: Response): Promise<Failure | Answered> {
    const outcome = await readEventsResponse(response, query, { maxBytes: tools.maxBytes });
    return isAnswer(outcome) ? { kind: "answered", settle: () => settle(outcome) } : outcome;
  }

  function settle(outcome: Answer): Call | null {
    if (outcome.kind !== "page" && page !== null) {
      // Refused or not found is the page, not the history, which its first page showed to be there.
      fail(brokenOff(page.number - 1, outcome.error));
      return null;
    }
    if (outcome.kind !== "page") {
      jobs.answered(job, { found: false, error: outcome.error, fetchedAtMs: clock.now() });
      return null;
    }
    const events = page?.events ?? [];
    for (const event of outcome.events) events.push(event);
    const token = outcome.nextPageToken;
    if (token === null) {
      jobs.answered(job, { found: true, value: sortByTime(events), fetchedAtMs: clock.now() });
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

  /** A whole history that cannot be read need not fail the parts of it: each may be had on its own. */
  function fail(error: InvError): void {
    if (error.code === "bad-answer" || error.code === "too-large") {
      for (const part of job.parts.splice(0)) {
        part.goesAlone = true;
        tools.rejoin(part);
      }
    }
    jobs.unanswered(job, error);
  }

  const call: Call = {
    isEdit: load.isEdit,
    isPartFilled: page === null && !load.isEdit && job.query.eventType !== undefined,
    retry: newRetryState(),
    build: (options) => buildEventsRequest(tools.environment, query, options),
    read,
    putBack() {
      if (page !== null || job.proof !== undefined || job.isOvertaken) return call;
      tools.rejoin(job);
      return null;
    },
    fail,
  };
  return call;
}

function isAnswer(outcome: EventsOutcome): outcome is Answer {
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
