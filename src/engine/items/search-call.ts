/**
 * One call of `POST /search-items`: the items it carries and what each outcome means for them. A value the
 * service refused ends alone and the rest is asked for again; a refusal that names nothing starts a bisection
 * (see `bisect`). Sending, retries and quota are the scheduler's and the sender's.
 * Invariant: every entry of the call is answered, released, or carried by the call that follows.
 */
import type { Failure, SearchOutcome } from "../../api/outcomes";
import { buildSearchRequest, readSearchResponse } from "../../api/search-items";
import type { Environment } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { ItemRecord } from "../../domain/records";
import type { Clock } from "../clock";
import type { Entries } from "../entries";
import type { Asked, Carrier } from "../entry";
import { type Answered, type Call, newRetryState } from "../send/call";
import type { Batch, Groups, ItemEntry } from "./groups";
import type { EngineSettings } from "../types";
import { beginBisection, type Bisection } from "./bisect";

/** Told how the first call of a refresh went: null when the service answered it. */
export type Proof = (error: InvError | null) => void;

export interface SearchTools {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly steady: Clock;
  readonly settings: () => EngineSettings;
  readonly clearedAtMs: () => number;
  readonly groups: Groups;
  readonly entries: Entries<ItemRecord, ItemEntry>;
  readonly maxBytes: number;
  /** The call lets go of these items: those still wanted wait again, before those that came later. */
  readonly putBack: (batch: Batch) => void;
  /** The call lets go of these items, and what nothing else can answer ends with this reason. */
  readonly fail: (batch: Batch, error: InvError) => void;
}

export interface SearchLoad extends Batch {
  readonly isEdit: boolean;
  readonly isPartFilled: boolean;
  readonly proof?: Proof | undefined;
  readonly bisection?: Bisection | undefined;
}

type Answer = Exclude<SearchOutcome, Failure>;
type Items = Extract<SearchOutcome, { kind: "items" }>;
type Ending =
  { readonly found: true; readonly value: ItemRecord } | { readonly found: false; readonly error: InvError };

export function createSearchCall(tools: SearchTools, load: SearchLoad): Call {
  const { group, entries, proof, bisection } = load;
  const { carriers } = tools.entries;
  const values = entries.map((entry) => entry.value);
  const query = { storeNumber: group.storeNumber, itemType: group.itemType, values };
  const carrier: Carrier<ItemEntry> = { asked: null, holds: (entry) => entries.includes(entry) };
  carriers.add(carrier);

  async function read(response: Response): Promise<Failure | Answered> {
    const outcome = await readSearchResponse(response, query, { maxBytes: tools.maxBytes });
    return isAnswer(outcome) ? { kind: "answered", settle: () => settle(outcome) } : outcome;
  }

  function settle(outcome: Answer): Call | null {
    carriers.delete(carrier);
    const next = take(outcome);
    tools.groups.grown(group);
    return next;
  }

  /** The proof is told last, when what the call brought is known. */
  function take(outcome: Answer): Call | null {
    switch (outcome.kind) {
      case "items": {
        const reason = settleItems(outcome);
        proof?.(reason);
        return goOnBisecting(false);
      }
      case "offenders":
        settleOffenders(outcome.offenders);
        proof?.(null);
        return goOnBisecting(false);
      case "no-data":
      case "request-refused":
        answerAll(entries, { found: false, error: outcome.error });
        proof?.(null);
        return goOnBisecting(false);
      case "unexplained":
        return bisection === undefined ? follow(beginBisection(load, outcome.error)) : goOnBisecting(true);
    }
  }

  /** Returns why the call proves nothing: no item of it was answered. */
  function settleItems({ items, agesMs }: Items): InvError | null {
    const arrivedAtMs = tools.clock.now();
    const askedAt = askedNow();
    let unreadable: InvError | null = null;
    let isAnswered = false;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as ItemEntry;
      const ageMs = agesMs.length === 0 ? 0 : (agesMs[index] ?? 0);
      const item = items[index];
      if (item === undefined || item.kind === "unreadable") {
        unreadable = item?.error ?? leftOut();
        tools.fail({ group, entries: [entry] }, unreadable);
        continue;
      }
      isAnswered = true;
      const fetchedAtMs = arrivedAtMs - ageMs;
      const asked = ageMs === 0 ? askedAt : before(askedAt, tools.steady.now() - ageMs);
      tools.entries.answered(
        entry,
        item.kind === "record"
          ? { found: true, value: item.record, fetchedAtMs, asked }
          : { found: false, error: item.error, fetchedAtMs, asked },
      );
    }
    return isAnswered ? null : unreadable;
  }

  /**
   * How old an answer of a colleague's call may be: what cells bear, or a refresh; never older than what was shown.
   * The first call of a refresh, and a bisection, ask the service itself.
   */
  function maxAgeMs(): number {
    if (proof !== undefined || bisection !== undefined) return 0;
    const { freshnessMs, refreshAgeMs } = tools.settings();
    const nowMs = tools.steady.now();
    let mostMs = Math.min(freshnessMs, nowMs - tools.clearedAtMs());
    for (const { answer, wantedEpoch } of entries) {
      if (wantedEpoch > (answer?.asked.epoch ?? 0)) mostMs = Math.min(mostMs, refreshAgeMs);
      // Less a second, in which calls take their different times on the way.
      if (answer !== null) mostMs = Math.min(mostMs, nowMs - answer.asked.atMs - 1_000);
    }
    return mostMs;
  }

  function settleOffenders(offenders: ReadonlyMap<number, InvError>): void {
    const rest: ItemEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      const error = offenders.get(index);
      if (error === undefined) rest.push(entry);
      else answerAll([entry], { found: false, error });
    }
    tools.putBack({ group, entries: rest });
  }

  function answerAll(answered: readonly ItemEntry[], ending: Ending): void {
    const answer = { ...ending, fetchedAtMs: tools.clock.now(), asked: askedNow() };
    for (const entry of answered) tools.entries.answered(entry, answer);
  }

  function askedNow(): Asked {
    if (carrier.asked === null) throw new Error("An answer came to a call that was not sent.");
    return carrier.asked;
  }

  function goOnBisecting(wasRefused: boolean): Call | null {
    if (bisection === undefined) return null;
    return follow(bisection, bisection.next(wasRefused));
  }

  function follow(next: Bisection, step = next.next(null)): Call | null {
    carriers.add(next);
    const { blamed } = step;
    if (blamed !== null) answerAll(blamed.entries, { found: false, error: step.error });
    if (step.send === null) {
      carriers.delete(next);
      if (step.givenUp !== null) tools.fail(step.givenUp, step.error);
      proof?.(step.givenUp === null ? null : step.error);
      return null;
    }
    const { isEdit, isPartFilled } = load;
    return createSearchCall(tools, { ...step.send, isEdit, isPartFilled, proof, bisection: next });
  }

  const call: Call = {
    isEdit: load.isEdit,
    isPartFilled: load.isPartFilled,
    retry: newRetryState(),
    sent: (asked) => void (carrier.asked = asked),
    waits() {
      const { asked } = carrier;
      if (asked !== null && entries.some(({ wantedEpoch }) => wantedEpoch > asked.epoch)) {
        return call.putBack();
      }
      carrier.asked = null;
      return call;
    },
    build(options) {
      const company = options.company ? { ...options.company, maxAgeMs: maxAgeMs() } : null;
      return buildSearchRequest(tools.environment, query, { ...options, company });
    },
    read,
    putBack() {
      carrier.asked = null;
      if (proof !== undefined || bisection !== undefined) return call;
      carriers.delete(carrier);
      tools.putBack(load);
      return null;
    },
    fail(error) {
      carriers.delete(carrier);
      if (bisection !== undefined) carriers.delete(bisection);
      tools.fail(load, error);
      if (bisection !== undefined) tools.fail(bisection.rest(), error);
      proof?.(error);
    },
  };
  return call;
}

/** A colleague's call was sent before this one. */
function before(asked: Asked, otherAtMs: number): Asked {
  return { ...asked, atMs: Math.min(asked.atMs, otherAtMs) };
}

/** The service answered, be it with a no; else nobody did. */
export function isAnswer(outcome: SearchOutcome): outcome is Answer {
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
