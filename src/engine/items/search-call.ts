/**
 * One call of `POST /search-items`: the items it carries and what each outcome means for them. A value the
 * service refused ends alone and the rest is asked for again; a refusal that names nothing starts a hunt
 * (see `hunt`). Sending, retries and quota are the dispatcher's and the desk's.
 * Invariant: every entry of the call is settled, put back, or carried by the call that follows.
 */
import type { Failure, ItemOutcome, SearchOutcome } from "../../api/outcomes";
import { buildSearchRequest, readSearchResponse } from "../../api/search-items";
import type { Environment } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import { type Answered, type Call, newRetryState } from "../send/call";
import type { Clock } from "../clock";
import type { Entry } from "./entry";
import type { Batch, EntrySettler } from "./entry-settler";
import type { Groups } from "./groups";
import { beginHunt, type Hunt } from "./hunt";
import type { ItemAnswer } from "../types";

/** Told once how the first call of a refresh went: null when the service answered it. */
export type Proof = (error: InvError | null) => void;

export interface SearchTools {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly groups: Groups;
  readonly entries: EntrySettler;
  readonly maxBytes: number;
  /** These items wait again, before those that came later. */
  readonly putBack: (batch: Batch) => void;
}

export interface SearchLoad extends Batch {
  readonly isEdit: boolean;
  readonly isPartFilled: boolean;
  readonly proof?: Proof | undefined;
  readonly hunt?: Hunt | undefined;
}

type Answer = Exclude<SearchOutcome, Failure>;

export function createSearchCall(tools: SearchTools, load: SearchLoad): Call {
  const { group, entries, proof, hunt } = load;
  const values = entries.map((entry) => entry.value);
  const query = { storeNumber: group.storeNumber, itemType: group.itemType, values };

  async function read(response: Response): Promise<Failure | Answered> {
    const outcome = await readSearchResponse(response, query, { maxBytes: tools.maxBytes });
    return isAnswer(outcome) ? { kind: "answered", settle: () => settle(outcome) } : outcome;
  }

  function settle(outcome: Answer): Call | null {
    const fetchedAtMs = tools.clock.now();
    const follow = take(outcome, fetchedAtMs);
    tools.groups.grown(group);
    return follow;
  }

  function take(outcome: Answer, fetchedAtMs: number): Call | null {
    switch (outcome.kind) {
      case "items":
        settleItems(outcome.items, fetchedAtMs);
        return huntOn(false);
      case "offenders":
        proof?.(null);
        settleOffenders(outcome.offenders, fetchedAtMs);
        return huntOn(false);
      case "no-data":
      case "request-refused":
        proof?.(null);
        refuse(entries, outcome.error, fetchedAtMs);
        return huntOn(false);
      case "unexplained":
        return hunt === undefined ? follow(beginHunt(load, outcome.error)) : huntOn(true);
    }
  }

  function settleItems(items: readonly ItemOutcome[], fetchedAtMs: number): void {
    let unreadable: InvError | null = null;
    let isAnswered = false;
    let index = 0;
    for (const entry of entries) {
      const item = items[index++];
      if (item === undefined || item.kind === "unreadable") {
        unreadable = item?.error ?? leftOut();
        tools.entries.unanswered({ group, entries: [entry] }, unreadable);
        continue;
      }
      isAnswered = true;
      const answer: ItemAnswer =
        item.kind === "record"
          ? { found: true, value: item.record, fetchedAtMs }
          : { found: false, error: item.error, fetchedAtMs };
      tools.entries.answered(group, entry, answer);
    }
    proof?.(isAnswered ? null : unreadable);
  }

  function settleOffenders(offenders: ReadonlyMap<number, InvError>, fetchedAtMs: number): void {
    const rest: Entry[] = [];
    for (const [index, entry] of entries.entries()) {
      const error = offenders.get(index);
      if (error === undefined) rest.push(entry);
      else refuse([entry], error, fetchedAtMs);
    }
    tools.putBack({ group, entries: rest });
  }

  /** The service said that there is no such value. */
  function refuse(refused: readonly Entry[], error: InvError, fetchedAtMs: number): void {
    for (const entry of refused) tools.entries.answered(group, entry, { found: false, error, fetchedAtMs });
  }

  function huntOn(wasRefused: boolean): Call | null {
    if (hunt === undefined) return null;
    return follow(hunt, hunt.next(wasRefused));
  }

  function follow(nextHunt: Hunt, step = nextHunt.next(null)): Call | null {
    const { blamed } = step;
    if (blamed !== null) refuse(blamed.entries, step.error, tools.clock.now());
    if (step.givenUp !== null) tools.entries.unanswered(step.givenUp, step.error);
    if (step.send === null) {
      proof?.(step.givenUp === null ? null : step.error);
      return null;
    }
    const { isEdit, isPartFilled } = load;
    return createSearchCall(tools, { ...step.send, isEdit, isPartFilled, proof, hunt: nextHunt });
  }

  const call: Call = {
    isEdit: load.isEdit,
    isPartFilled: load.isPartFilled,
    retry: newRetryState(),
    build: (options) => buildSearchRequest(tools.environment, query, options),
    read,
    putBack() {
      if (proof !== undefined || hunt !== undefined) return call;
      tools.putBack(load);
      return null;
    },
    fail(error) {
      tools.entries.unanswered(load, error);
      if (hunt !== undefined) tools.entries.unanswered(hunt.rest(), error);
      proof?.(error);
    },
  };
  return call;
}

function isAnswer(outcome: SearchOutcome): outcome is Answer {
  switch (outcome.kind) {
    case "items":
    case "offenders":
    case "request-refused":
    case "unexplained":
    case "no-data":
      return true;
    default:
      return false;
  }
}

function leftOut(): InvError {
  return new InvError("missing-answer", "The answer left this item out. Refresh to ask again.");
}
