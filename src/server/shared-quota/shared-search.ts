/**
 * The inventory lookup for a whole company. Items of a call that are cached and young enough are used; for items that a
 * colleague's call will bring, at this server or another, the call waits; one call asks the service for the rest. Items
 * of different people are never put into one call.
 * Invariants: no consumer gets another's data; nothing is older than the caller allows; and a refusal or a broken answer
 * reaches only the caller whose own call it answers.
 */
import { randomBytes } from "node:crypto";
import type { SearchQuery } from "../../api/search-items";
import type { RelayedAnswer } from "../answer";
import { accountOf, type CompanyCall, oneAsker } from "./call";
import type { CancelSignal } from "./cancel-signal";
import type { SteadyClock } from "./clock";
import { agesHeader } from "./headers";
import type { FoundItem, KnownAnswers, KnownRecord } from "./known-answers";
import type { PacedCalls } from "./paced-calls";
import { beginCall, type CallOutcome, type PendingCall } from "./pending-call";
import { addParts, type Gathered, judge, type Part, readOutcome } from "./search-parts";
import { readSearchQuery, writeSearch } from "./search-query";
import { writeAnswer } from "./search-records";

export interface SharedSearchOptions {
  readonly clock: SteadyClock;
  readonly paced: PacedCalls;
  readonly known: KnownAnswers;
  /** Called with the number of an answer's items that came from colleagues' calls. */
  readonly onShared: (environment: string, items: number) => void;
}

/** Null when the caller has left. */
export type SharedSearch = (call: CompanyCall) => Promise<RelayedAnswer | null>;

interface Request {
  readonly call: CompanyCall;
  /** No record may be older. */
  readonly sinceMs: number;
}

/** Where an item comes from without asking the service: a call of this server or of another one, or the cache. */
type ItemSource = Exclude<FoundItem, { kind: "missing" }> | PendingCall;

export function createSharedSearch(options: SharedSearchOptions): SharedSearch {
  const { clock, paced, known: store, onShared } = options;
  /** Prefix that makes this server's lease ids unique. */
  const leasePrefix = randomBytes(9).toString("base64url");
  let leases = 0;
  /** Calls in flight by scope, oldest first. */
  const underWay = new Map<string, readonly PendingCall[]>();

  function search(call: CompanyCall): Promise<RelayedAnswer | null> {
    const query = readSearchQuery(call.body);
    return query === null ? alone(call) : shared(call, query);
  }

  /** Sends the call unchanged, and shares nothing. */
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
    const gathered = await gather({ call, sinceMs: clock.now() - call.maxAgeMs }, query, true);
    if (gathered.kind === "left") return null;
    if (gathered.kind === "alone") return alone(call);
    if (gathered.kind === "answer") return gathered.answer;
    const parts = query.values.flatMap((value) => gathered.parts.get(value) ?? []);
    onShared(call.environment, parts.filter(({ isOwn }) => !isOwn).length);
    return compose(parts);
  }

  /** Collects the records of these items. `isWhole`: they are all items of the call. */
  async function gather(request: Request, query: SearchQuery, isWhole: boolean): Promise<Gathered> {
    const { call, sinceMs } = request;
    const scope = scopeOf(call, query);
    const lease = `${leasePrefix}.${(leases += 1)}`;
    const before = underWay.get(scope) ?? [];
    // Read before the store answers, so that nothing seems younger by the time this takes.
    const lookedAtMs = clock.now();
    const maxAgeMs = call.maxAgeMs > 0 ? lookedAtMs - sinceMs : 0;
    const found = await store.find(scope, query.values, { lease, maxAgeMs });
    // A call that was in flight before the lookup may have ended since.
    const pending = [...before, ...(underWay.get(scope) ?? [])];
    const bringing = bringingOf(maxAgeMs > 0 ? pending : [], sinceMs);
    // If the store can't be asked, this server still knows its own calls and can ask the service.
    const items = found.kind === "found" ? found.items : [];
    const sourceOf = (value: string, item: FoundItem | undefined): ItemSource | null => {
      if (item === undefined || item.kind === "missing") return bringing.get(value) ?? null;
      if (item.kind === "known") return item;
      return item.lease === lease ? null : (pending.find((other) => other.lease === item.lease) ?? item);
    };

    const parts = new Map<string, Part>();
    const [joined, elsewhere] = [new Map<PendingCall, string[]>(), new Map<string, string[]>()];
    const missing: string[] = [];
    query.values.forEach((value, index) => {
      const source = sourceOf(value, items[index]);
      if (source === null) missing.push(value);
      else if ("join" in source) addTo(joined, source, value);
      else if (source.kind === "leased") addTo(elsewhere, source.lease, value);
      else parts.set(value, partOf(source, lookedAtMs));
    });
    if (call.signal.aborted) {
      if (missing.length > 0) void store.free(scope, missing, lease);
      return { kind: "left" };
    }
    for (const other of joined.keys()) other.join(call.asker, call.signal);
    const isAll = isWhole && missing.length === query.values.length;
    const rest = { ...query, values: missing };
    const own =
      missing.length === 0 ? null : begin(isAll ? call : { ...call, body: writeSearch(rest) }, rest, lease);
    // The call is sent unchanged, so its caller gets the service's answer unchanged.
    if (own !== null && isAll) {
      const answer = await own.answer;
      return answer === null ? { kind: "left" } : { kind: "answer", answer };
    }
    const later = [...elsewhere].map(async ([other, values]): Promise<Gathered> => {
      await changeOf(other, call.signal);
      return call.signal.aborted ? { kind: "left" } : gather(request, { ...query, values }, false);
    });
    const [ofElsewhere, outcomes] = await Promise.all([
      Promise.all(later),
      Promise.all([own?.outcome ?? null, ...[...joined.keys()].map(({ outcome }) => outcome)]),
    ]);
    const [ofOwn = null, ...ofJoined] = outcomes.map(readOutcome);
    const verdict = judge(ofOwn, ofJoined);
    if (verdict.kind !== "parts") return verdict;
    addParts(parts, ofOwn, { isOwn: true, of: missing });
    for (const [index, of] of [...joined.values()].entries()) {
      addParts(parts, ofJoined[index] ?? null, { isOwn: false, of });
    }
    for (const gathered of ofElsewhere) {
      if (gathered.kind !== "parts") return gathered;
      for (const [value, part] of gathered.parts) parts.set(value, part);
    }
    return { kind: "parts", parts };
  }

  /** Resolves when the lease may have ended, or when the caller has left. */
  function changeOf(lease: string, signal: CancelSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener("abort", end);
        resolve();
      };
      signal.addEventListener("abort", end);
      void store.changeOf(lease).then(end);
    });
  }

  /** Sends a call for these items: the caller's whole call, or the rest of it. */
  function begin(call: CompanyCall, query: SearchQuery, lease: string): PendingCall {
    const scope = scopeOf(call, query);
    let askedAtMs = 0;
    const pending = beginCall({
      values: query.values,
      lease,
      ask: (control) =>
        paced({
          account: accountOf(call, "search"),
          askers: control.askers,
          signal: control.signal,
          send: call.send,
          body: call.body,
          onSent(atMs) {
            askedAtMs = atMs;
            control.sent(atMs);
          },
        }),
      take: (answer) => take(answer, query),
      keep(outcome) {
        if (outcome.kind !== "answered") return store.free(scope, query.values, lease);
        const { answer, fetchedAtMs } = outcome;
        const nowMs = clock.now();
        const ages = { askedAgoMs: nowMs - askedAtMs, fetchedAgoMs: nowMs - fetchedAtMs };
        return store.keep(scope, { query, body: answer.body, ...ages }, lease);
      },
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

  async function take(answer: RelayedAnswer, query: SearchQuery): Promise<CallOutcome> {
    const fetchedAtMs = clock.now();
    // In a later turn: by then the answer is on its way to the first asker.
    await new Promise<void>((resolve) => clock.nextTurn(resolve));
    if (isFailure(answer)) return { kind: "failed", answer };
    if (answer.status !== 200) return { kind: "refused", answer };
    return { kind: "answered", answer: { ...answer, body: ownBytes(answer.body) }, query, fetchedAtMs };
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

/** Bytes that reading from the network may leave around an answer: the response's head. */
const mostBeside = 1_024;

/** Returns a copy if the answer is a small part of a larger buffer, which it would keep in memory. */
function ownBytes(body: Buffer): Buffer {
  if (body.buffer.byteLength <= body.length + mostBeside) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

/** For each item the latest call that will bring it and is young enough. */
function bringingOf(calls: readonly PendingCall[], sinceMs: number): ReadonlyMap<string, PendingCall> {
  const young = calls.filter(({ sentAtMs }) => (sentAtMs ?? Infinity) >= sinceMs);
  return new Map(young.flatMap((call) => call.values.map((value) => [value, call])));
}

function partOf({ record, around, fetchedAgoMs }: KnownRecord, lookedAtMs: number): Part {
  return { record, around, fetchedAtMs: lookedAtMs - fetchedAgoMs, isOwn: false };
}

function addTo<K>(lists: Map<K, string[]>, key: K, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Failures that may be temporary and don't concern the caller. */
function isFailure({ status }: RelayedAnswer): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Distinguishes equal items. */
function scopeOf(
  { environment, address, consumerId }: CompanyCall,
  { storeNumber, itemType }: SearchQuery,
): string {
  return `${environment}\n${address}\n${consumerId}\n${storeNumber}\n${itemType}`;
}
