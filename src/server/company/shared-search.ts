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
import type { KnownAnswers } from "./known-answers";
import type { PacedCalls } from "./paced-calls";
import { beginCall, type Outcome, type PendingCall } from "./pending-call";
import { readSearchQuery, type SearchQuery, writeSearch } from "./search-query";
import { readSearchRecords, type SearchRecords, writeAnswer } from "./search-records";

export interface SharedSearchOptions {
  readonly clock: SteadyClock;
  readonly paced: PacedCalls;
  readonly known: KnownAnswers;
  /** So many items of an answer came from colleagues' calls. */
  readonly onShared: (environment: string, items: number) => void;
}

/** Null when the caller has left. */
export type SharedSearch = (call: CompanyCall) => Promise<RelayedAnswer | null>;

/** An item's record as a caller gets it. */
interface Part {
  readonly record: string;
  readonly around: string;
  readonly fetchedAtMs: number;
  /** This call itself has asked the service for it. */
  readonly isOwn: boolean;
}

export function createSharedSearch(options: SharedSearchOptions): SharedSearch {
  const { clock, paced, known: store, onShared } = options;
  /** By scope, those begun later behind the others. */
  const underWay = new Map<string, readonly PendingCall[]>();

  function search(call: CompanyCall): Promise<RelayedAnswer | null> {
    const query = readSearchQuery(call.body);
    return query === null ? alone(call) : shared(call, query);
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

  async function shared(call: CompanyCall, query: SearchQuery): Promise<RelayedAnswer | null> {
    const scope = scopeOf(call, query);
    const isShareable = call.maxAgeMs > 0;
    const sinceMs = clock.now() - call.maxAgeMs;
    const before = underWay.get(scope) ?? [];
    const parts = isShareable ? await knownParts(scope, query.values, sinceMs) : new Map<string, Part>();
    if (call.signal.aborted) return null;
    // What was under way before the look at known answers may have come since.
    const pending = isShareable ? [...before, ...(underWay.get(scope) ?? [])] : [];

    const bringing = new Map<string, PendingCall>();
    const missing: string[] = [];
    for (const value of query.values) {
      if (parts.has(value)) continue;
      const other = pending.findLast(({ values }) => values.has(value));
      if (other !== undefined && (other.sentAtMs ?? Infinity) >= sinceMs) bringing.set(value, other);
      else missing.push(value);
    }
    const joined = [...new Set(bringing.values())];
    for (const other of joined) other.join(call.asker, call.signal);
    const own = missing.length === 0 ? null : begin(call, { ...query, values: missing });
    // The very call that came: whatever the service says to it is for its caller, as it stands.
    if (own !== null && missing.length === query.values.length) return own.answer;
    const outcomes = await Promise.all([own?.outcome ?? null, ...joined.map((each) => each.outcome)]);
    const [ofOwn = null, ...ofOthers] = outcomes.map(readOutcome);
    const verdict = judge(ofOwn, ofOthers);
    if (verdict === "left") return null;
    if (verdict === "alone") return alone(call);
    if (verdict !== "records") return verdict;
    addParts(parts, ofOwn, { isOwn: true, of: missing });
    for (const [index, outcome] of ofOthers.entries()) {
      const of = query.values.filter((value) => bringing.get(value) === joined[index]);
      addParts(parts, outcome, { isOwn: false, of });
    }
    onShared(call.environment, query.values.length - missing.length);
    return compose(query.values.flatMap((value) => parts.get(value) ?? []));
  }

  /** What is known and young enough; nothing while the store cannot be asked: the service can. */
  async function knownParts(
    scope: string,
    values: readonly string[],
    sinceMs: number,
  ): Promise<Map<string, Part>> {
    const parts = new Map<string, Part>();
    // From before the answer, so that nothing seems younger by the time that it takes.
    const askedAtMs = clock.now();
    const found = await store.find(scope, values);
    if (found.kind === "away") return parts;
    for (const [index, value] of values.entries()) {
      const known = found.records[index] ?? null;
      if (known === null || askedAtMs - known.askedAgoMs < sinceMs) continue;
      const { record, around, fetchedAgoMs } = known;
      parts.set(value, { record, around, fetchedAtMs: askedAtMs - fetchedAgoMs, isOwn: false });
    }
    return parts;
  }

  /** Asks for these items: all of the call, or the rest of it. */
  function begin(call: CompanyCall, query: SearchQuery): PendingCall {
    const scope = scopeOf(call, query);
    let askedAtMs = 0;
    const pending = beginCall({
      values: query.values,
      ask: (control) =>
        paced({
          account: accountOf(call, "search"),
          askers: control.askers,
          signal: control.signal,
          send: call.send,
          body: writeSearch(query),
          onSent(atMs) {
            askedAtMs = atMs;
            control.sent(atMs);
          },
        }),
      take: (answer) => take(answer, { scope, query, askedAtMs }),
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
    { scope, query, askedAtMs }: { scope: string; query: SearchQuery; askedAtMs: number },
  ): Promise<Outcome> {
    const fetchedAtMs = clock.now();
    // In a turn of its own: the answer is on its way to who asked for it by then.
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 0));
    if (isFailure(answer)) return { kind: "failed", answer };
    if (answer.status !== 200) return { kind: "refused", answer };
    const body = ownBytes(answer.body);
    const nowMs = clock.now();
    const ages = { askedAgoMs: nowMs - askedAtMs, fetchedAgoMs: nowMs - fetchedAtMs };
    // Where it cannot be kept, whoever waits has it all the same.
    await store.keep(scope, { query, body, ...ages });
    return { kind: "answered", answer: { ...answer, body }, query, fetchedAtMs };
  }

  function compose(parts: readonly Part[]): RelayedAnswer {
    const nowMs = clock.now();
    const newest = parts.reduce((left, right) => (right.fetchedAtMs > left.fetchedAtMs ? right : left));
    return {
      status: 200,
      headers: {
        "content-type": "application/json",
        ...agesHeader(parts.map(({ isOwn, fetchedAtMs }) => (isOwn ? null : nowMs - fetchedAtMs))),
      },
      body: writeAnswer(
        newest.around,
        parts.map(({ record }) => record),
      ),
    };
  }

  return search;
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

/** An outcome as it is read by somebody else than who asked. */
type Read =
  | Exclude<Outcome, { kind: "answered" }>
  | { readonly kind: "records"; readonly records: SearchRecords; readonly fetchedAtMs: number };

/** What is not to be trusted is a refusal: for who asked, and for nobody else. */
function readOutcome(outcome: Outcome | null): Read | null {
  if (outcome?.kind !== "answered") return outcome;
  const { answer, query, fetchedAtMs } = outcome;
  const records = readSearchRecords(answer.body, query);
  return records === null ? { kind: "refused", answer } : { kind: "records", records, fetchedAtMs };
}

/** Of what a call brought, the records that were awaited from it. */
function addParts(
  parts: Map<string, Part>,
  outcome: Read | null,
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
function judge(
  own: Read | null,
  joined: readonly (Read | null)[],
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
function scopeOf({ environment, consumerId }: CompanyCall, { storeNumber, itemType }: SearchQuery): string {
  return `${environment}\n${consumerId}\n${storeNumber}\n${itemType}`;
}
