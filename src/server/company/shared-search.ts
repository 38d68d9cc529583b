/**
 * The inventory lookup for a whole company: of a call's items, those that are known and young enough are taken as
 * they are, those that a colleague's call is bringing are waited for, and the rest is asked for in one call.
 * Items are never regrouped across people. Whose answers may be shared is decided by the token's owner.
 * Invariants: nothing of one consumer reaches another; nothing older than the caller allows is given; and a
 * refusal or a broken answer reaches only the caller whose own call it answers.
 */
import type { RelayedAnswer } from "../relay/answer";
import type { CompanyCall } from "./call";
import type { SteadyClock } from "./clock";
import { agesHeader } from "./headers";
import type { KnownItem, KnownItems } from "./known-items";
import type { PacedCalls } from "./paced-calls";
import { beginCall, type Outcome, type PendingCall } from "./pending-call";
import { readSearchQuery, type SearchQuery, writeSearchBody } from "./search-query";
import { readSearchRecords, writeAnswer } from "./search-records";

export interface SharedSearchOptions {
  readonly clock: SteadyClock;
  readonly paced: PacedCalls;
  readonly known: KnownItems;
  /** So many items of an answer came from colleagues' calls. */
  readonly onShared: (environment: string, items: number) => void;
}

/** `owner` is the consumer whose token the call carries, null where that is not known. Null when the caller has left. */
export type SharedSearch = (call: CompanyCall, owner: string | null) => Promise<RelayedAnswer | null>;

export function createSharedSearch(options: SharedSearchOptions): SharedSearch {
  const { clock, paced, known, onShared } = options;
  const underWay = new Map<string, PendingCall>();

  function search(call: CompanyCall, owner: string | null): Promise<RelayedAnswer | null> {
    const query = owner !== null && owner === call.consumerId ? readSearchQuery(call.body.toString()) : null;
    return query === null ? alone(call, owner) : shared(call, query);
  }

  /** As it came, for itself. A token's owner pays for it, whatever the call's header says. */
  function alone(call: CompanyCall, owner: string | null): Promise<RelayedAnswer | null> {
    return paced({
      account: accountOf(call, owner ?? call.consumerId),
      askers: () => [call.asker],
      signal: call.signal,
      send: call.send,
      body: call.body,
    });
  }

  async function shared(call: CompanyCall, query: SearchQuery): Promise<RelayedAnswer | null> {
    const sinceMs = clock.now() - call.maxAgeMs;
    const keys = query.values.map((value) => keyOf(call, query, value));
    const before = keys.map((key) => underWay.get(key));
    const found = call.maxAgeMs > 0 ? await known.find(keys) : [];
    if (call.signal.aborted) return null;

    const items = new Map<string, KnownItem>();
    const joined = new Set<PendingCall>();
    const missing: string[] = [];
    for (const [index, key] of keys.entries()) {
      const item = found[index];
      const pending = underWay.get(key) ?? before[index];
      if (item !== undefined && item.askedAtMs >= sinceMs) {
        items.set(key, item);
      } else if (call.maxAgeMs > 0 && pending !== undefined && (pending.sentAtMs ?? Infinity) >= sinceMs) {
        joined.add(pending);
      } else {
        missing.push(query.values[index] ?? "");
      }
    }
    for (const pending of joined) pending.join(call.asker, call.signal);
    const own = missing.length === 0 ? null : begin(call, { ...query, values: missing }, query);
    // The very call that came: whatever the service says to it is for its caller, as it stands.
    if (own !== null && missing.length === keys.length) return own.answer;
    const outcomes = await Promise.all([own?.outcome, ...[...joined].map(({ outcome }) => outcome)]);
    const fromOwn = outcomes[0] ?? null;
    const verdict = judge(fromOwn, outcomes.slice(1));
    if (verdict === "left") return null;
    if (verdict === "alone") return alone(call, call.consumerId);
    if (verdict !== "records") return verdict;
    for (const outcome of outcomes) {
      if (outcome?.kind === "records") for (const [key, item] of outcome.items) items.set(key, item);
    }
    onShared(call.environment, keys.length - missing.length);
    return compose(keys.map((key) => items.get(key)));
  }

  function begin(call: CompanyCall, missing: SearchQuery, asked: SearchQuery): PendingCall {
    const keys = missing.values.map((value) => keyOf(call, missing, value));
    const isWhole = missing.values.length === asked.values.length;
    let askedAtMs = 0;
    const pending = beginCall({
      ask: (control) =>
        paced({
          account: accountOf(call, call.consumerId),
          askers: control.askers,
          signal: control.signal,
          send: call.send,
          body: isWhole ? call.body : Buffer.from(writeSearchBody(missing)),
          onSent(atMs) {
            askedAtMs = atMs;
            control.sent(atMs);
          },
        }),
      read: (answer) => readForAll(answer, { query: missing, keys, askedAtMs }),
      onOver() {
        for (const key of keys) if (underWay.get(key) === pending) underWay.delete(key);
      },
    });
    pending.join(call.asker, call.signal);
    for (const key of keys) underWay.set(key, pending);
    return pending;
  }

  async function readForAll(
    answer: RelayedAnswer,
    { query, keys, askedAtMs }: { query: SearchQuery; keys: readonly string[]; askedAtMs: number },
  ): Promise<Outcome> {
    const fetchedAtMs = clock.now();
    // In a turn of its own: the answer is on its way to who asked for it before it is read.
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 0));
    if (isFailure(answer)) return { kind: "failed", answer };
    const read = answer.status === 200 ? readSearchRecords(answer.body, query) : null;
    if (read === null) return { kind: "refused", answer };
    const { envelope } = read;
    const items = new Map(
      read.records.map((record, index) => [keys[index] ?? "", { record, envelope, askedAtMs, fetchedAtMs }]),
    );
    await known.keep(items);
    return { kind: "records", items };
  }

  function compose(items: readonly (KnownItem | undefined)[]): RelayedAnswer {
    const all = items.filter((item) => item !== undefined);
    const nowMs = clock.now();
    const newest = all.reduce((left, right) => (right.fetchedAtMs > left.fetchedAtMs ? right : left));
    return {
      status: 200,
      headers: {
        "content-type": "application/json",
        ...agesHeader(all.map(({ fetchedAtMs }) => nowMs - fetchedAtMs)),
      },
      body: writeAnswer({ envelope: newest.envelope, records: all.map(({ record }) => record) }),
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

function accountOf(call: CompanyCall, consumerId: string) {
  return { environment: call.environment, consumerId, operation: "search" as const };
}

/** The item stands last: it alone may hold any character. */
function keyOf({ environment, consumerId }: CompanyCall, query: SearchQuery, value: string): string {
  return [environment, consumerId, query.storeNumber, query.itemType, value].join("\n");
}
