/**
 * The inventory lookup for a whole company: of a call's items, those that are known and young enough are taken as
 * they are, those that a colleague's call is bringing are waited for, and the rest is asked for in one call.
 * Items are never regrouped across people.
 * Invariants: nothing of one consumer reaches another; nothing older than the caller allows is given; and a
 * refusal or a broken answer reaches only the caller whose own call it answers.
 */
import type { RelayedAnswer } from "../relay/answer";
import { accountOf, type CompanyCall } from "./call";
import type { SteadyClock } from "./clock";
import { oneAsker } from "./entry";
import { agesHeader } from "./headers";
import { createFetchedAnswer, type FetchedAnswer } from "./fetched-answer";
import type { KnownAnswers } from "./known-answers";
import type { PacedCalls } from "./paced-calls";
import { beginCall, type Outcome, type PendingCall } from "./pending-call";
import { readSearchStart, type SearchPlace, type SearchStart, writeSearch } from "./search-query";
import { writeAnswer } from "./search-records";

export interface SharedSearchOptions {
  readonly clock: SteadyClock;
  readonly paced: PacedCalls;
  readonly known: KnownAnswers;
  /** So many items of an answer came from colleagues' calls. */
  readonly onShared: (environment: string, items: number) => void;
}

/** Null when the caller has left. */
export type SharedSearch = (call: CompanyCall) => Promise<RelayedAnswer | null>;

export function createSharedSearch(options: SharedSearchOptions): SharedSearch {
  const { clock, paced, known, onShared } = options;
  /** By scope, those begun later behind the others. */
  const underWay = new Map<string, readonly PendingCall[]>();

  function search(call: CompanyCall): Promise<RelayedAnswer | null> {
    const start = readSearchStart(call.body);
    return start === null ? alone(call) : shared(call, start);
  }

  /** As it came, for itself. */
  function alone(call: CompanyCall): Promise<RelayedAnswer | null> {
    return paced({
      account: accountOf(call, "search"),
      askers: oneAsker(call.asker),
      signal: call.signal,
      send: call.send,
      body: call.body,
    });
  }

  async function shared(call: CompanyCall, start: SearchStart): Promise<RelayedAnswer | null> {
    const scope = scopeOf(call, start);
    const sinceMs = clock.now() - call.maxAgeMs;
    const isShareable = call.maxAgeMs > 0;
    const before = underWay.get(scope) ?? [];
    const found = isShareable ? await known.find(scope, () => start.query()?.values ?? []) : [];
    if (call.signal.aborted) return null;
    // What was under way before the look at known answers may have come since.
    const pending = isShareable ? [...before, ...(underWay.get(scope) ?? [])] : [];
    // Of most calls nothing is known and nothing under way.
    if (found.length === 0 && pending.length === 0) return begin(call, start).answer;
    const query = start.query();
    if (query === null) return alone(call);

    const answers = new Map<string, FetchedAnswer>();
    const joined = new Set<PendingCall>();
    const missing: string[] = [];
    for (const [index, value] of query.values.entries()) {
      const answer = found[index];
      if (answer !== undefined && answer.askedAtMs >= sinceMs) {
        answers.set(value, answer);
        continue;
      }
      const bringing = pending.findLast((other) => other.start.query()?.values.includes(value));
      if (bringing !== undefined && (bringing.sentAtMs ?? Infinity) >= sinceMs) joined.add(bringing);
      else missing.push(value);
    }
    for (const bringing of joined) bringing.join(call.asker, call.signal);
    const isWhole = missing.length === query.values.length;
    const own =
      missing.length === 0 ? null : begin(call, isWhole ? start : writeSearch({ ...query, values: missing }));
    // The very call that came: whatever the service says to it is for its caller, as it stands.
    if (own !== null && isWhole) return own.answer;
    const outcomes = await Promise.all([own?.outcome(), ...[...joined].map((each) => each.outcome())]);
    const verdict = judge(outcomes[0] ?? null, outcomes.slice(1));
    if (verdict === "left") return null;
    if (verdict === "alone") return alone(call);
    if (verdict !== "records") return verdict;
    for (const outcome of outcomes) {
      if (outcome?.kind !== "records") continue;
      for (const value of outcome.answer.values()) answers.set(value, outcome.answer);
    }
    onShared(call.environment, query.values.length - missing.length);
    return compose(query.values, { answers, own: outcomes[0] ?? null });
  }

  /** Asks for these items: all of the call, as it came, or the rest of it. */
  function begin(call: CompanyCall, start: SearchStart): PendingCall {
    const scope = scopeOf(call, start);
    let askedAtMs = 0;
    const pending = beginCall({
      start,
      ask: (control) =>
        paced({
          account: accountOf(call, "search"),
          askers: control.askers,
          signal: control.signal,
          send: call.send,
          body: start.body,
          onSent(atMs) {
            askedAtMs = atMs;
            control.sent(atMs);
          },
        }),
      take: (answer) => take(answer, { scope, start, askedAtMs }),
      onOver() {
        const others = (underWay.get(scope) ?? []).filter((other) => other !== pending);
        if (others.length > 0) underWay.set(scope, others);
        else underWay.delete(scope);
      },
    });
    pending.join(call.asker, call.signal);
    underWay.set(scope, [...(underWay.get(scope) ?? []), pending]);
    return pending;
  }

  async function take(
    answer: RelayedAnswer,
    { scope, start, askedAtMs }: { scope: string; start: SearchStart; askedAtMs: number },
  ): Promise<() => Outcome> {
    const fetchedAtMs = clock.now();
    // In a turn of its own: the answer is on its way to who asked for it by then.
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 0));
    if (isFailure(answer)) return () => ({ kind: "failed", answer });
    if (answer.status !== 200) return () => ({ kind: "refused", answer });
    const fetched = createFetchedAnswer({ start, body: answer.body, askedAtMs, fetchedAtMs });
    await known.keep(scope, fetched);
    return () =>
      fetched.records() === null ? { kind: "refused", answer } : { kind: "records", answer: fetched };
  }

  function compose(
    values: readonly string[],
    { answers, own }: { answers: ReadonlyMap<string, FetchedAnswer>; own: Outcome | null },
  ): RelayedAnswer {
    const nowMs = clock.now();
    const justAsked = own?.kind === "records" ? own.answer : null;
    const parts = values.flatMap((value) => {
      const answer = answers.get(value);
      const records = answer?.records();
      const span = records?.of.get(value);
      return answer && records && span ? [{ answer, records, span }] : [];
    });
    const newest = parts.reduce((left, right) =>
      right.answer.fetchedAtMs > left.answer.fetchedAtMs ? right : left,
    );
    return {
      status: 200,
      headers: {
        "content-type": "application/json",
        ...agesHeader(parts.map(({ answer }) => (answer === justAsked ? null : nowMs - answer.fetchedAtMs))),
      },
      body: writeAnswer(
        newest.records,
        parts.map(({ records, span }) => records.body.subarray(span.start, span.end)),
      ),
    };
  }

  return search;
}

/**
 * What the outcomes mean for a caller some of whose items others had or were bringing. A failure reaches all who
 * waited. A refusal of the rest of a call is no answer to the whole, since it may name items by their place, unless it
 * is about the caller's token.
 */
function judge(
  own: Outcome | null,
  joined: readonly (Outcome | undefined)[],
): "records" | "alone" | "left" | RelayedAnswer {
  if (own?.kind === "left") return "left";
  const failed = [own, ...joined].find((outcome) => outcome?.kind === "failed");
  if (failed?.kind === "failed") return failed.answer;
  if (own?.kind === "refused") {
    const isAboutToken = own.answer.status === 401 || own.answer.status === 403;
    return isAboutToken ? own.answer : "alone";
  }
  return joined.every((outcome) => outcome?.kind === "records") ? "records" : "alone";
}

/** What may pass, and says nothing about who asked. */
function isFailure({ status }: RelayedAnswer): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** What tells apart items of one spelling. */
function scopeOf({ environment, consumerId }: CompanyCall, { storeNumber, itemType }: SearchPlace): string {
  return `${environment}\n${consumerId}\n${storeNumber}\n${itemType}`;
}
