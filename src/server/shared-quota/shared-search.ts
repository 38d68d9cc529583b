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
import type { SteadyClock } from "../steady-clock";
import { accountOf, type CompanyCall } from "./call";
import { agesHeader } from "./headers";
import type { FoundItem, KnownAnswers } from "./known-answers";
import type { PacedCalls } from "./paced-calls";
import { beginCall, type CallOutcome, type PendingCall } from "./pending-call";
import { readSearchQuery, readSearchRecords, writeAnswer, writeSearch } from "./search-format";

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

/** An item's record for a caller's answer. */
interface Part {
  readonly record: string;
  readonly around: string;
  readonly fetchedAtMs: number;
  /** The caller's own call has asked the service for it. */
  readonly isOwn: boolean;
}

type Parts = Map<string, Part>;

/** The result for some of a caller's items. If there are several results, the first kind in this order counts. */
type Gathered =
  /** The caller doesn't want it any more. */
  | { readonly kind: "left" }
  | { readonly kind: "answer"; readonly answer: RelayedAnswer }
  /** The caller sends its whole call, and shares nothing. */
  | { readonly kind: "alone" }
  | { readonly kind: "parts"; readonly parts: Parts };

/** Pauses before looking again whether another server's call has brought an item. */
const firstLookMs = 30;
const longestLookMs = 500;

export function createSharedSearch(options: SharedSearchOptions): SharedSearch {
  const { clock, paced, known: answers, onShared } = options;
  /** Prefix that makes this server's claims unique. */
  const claimPrefix = randomBytes(9).toString("base64url");
  let claims = 0;
  /** Calls in flight by scope, oldest first. */
  const inFlight = new Map<string, readonly PendingCall[]>();

  async function search(call: CompanyCall): Promise<RelayedAnswer | null> {
    const query = readSearchQuery(call.body);
    if (query === null) return alone(call);
    const gathered = await gather({ call, sinceMs: clock.now() - call.maxAgeMs }, query);
    if (gathered.kind === "left") return null;
    if (gathered.kind === "alone") return alone(call);
    if (gathered.kind === "answer") return gathered.answer;
    const parts = query.values.flatMap((value) => gathered.parts.get(value) ?? []);
    onShared(call.environment, parts.filter(({ isOwn }) => !isOwn).length);
    return compose(parts, clock.now());
  }

  function alone(call: CompanyCall): Promise<RelayedAnswer | null> {
    return paced({ ...call, account: accountOf(call, "search") });
  }

  /** Collects the records of these items. `looks` counts the earlier looks for them; null for the caller's whole call. */
  async function gather(
    request: Request,
    query: SearchQuery,
    looks: number | null = null,
  ): Promise<Gathered> {
    const { call, sinceMs } = request;
    const scope = scopeOf(call, query);
    const claim = `${claimPrefix}.${(claims += 1)}`;
    const before = inFlight.get(scope) ?? [];
    // Read before the cache answers, so that nothing seems younger by the time this takes.
    const lookedAtMs = clock.now();
    const maxAgeMs = call.maxAgeMs > 0 ? lookedAtMs - sinceMs : 0;
    // If the cache can't be asked, this server still knows its own calls and can ask the service.
    const items = (await answers.find(scope, query.values, { claim, maxAgeMs })) ?? [];
    // A call that was in flight before the lookup may have ended since. From here until the own call begins nothing is
    // awaited: two callers would otherwise ask for the same items.
    const pending = [...before, ...(inFlight.get(scope) ?? [])];
    const sources = sourcesOf(query.values, items, {
      claim,
      lookedAtMs,
      pending,
      bringing: bringingOf(maxAgeMs > 0 ? pending : [], request),
      call,
    });
    const { joined, elsewhere, missing } = sources;
    if (call.signal.aborted) {
      if (missing.length > 0) answers.release(scope, missing, claim).catch(() => undefined);
      return { kind: "left" };
    }
    for (const other of joined.keys()) other.join(call.signal);
    if (looks === null && missing.length === query.values.length) {
      // The call is sent unchanged, so its caller gets the service's answer unchanged.
      const answer = await begin(call, query, claim).answer;
      return answer === null ? { kind: "left" } : { kind: "answer", answer };
    }
    const gathering: Promise<Gathered>[] = [];
    if (missing.length > 0) {
      const rest = { ...query, values: missing };
      gathering.push(ofOwn(begin({ ...call, body: writeSearch(rest) }, rest, claim)));
    }
    for (const [other, values] of joined) {
      gathering.push(ofJoined(other, values, () => gather(request, { ...query, values }, 0)));
    }
    if (elsewhere.length > 0) gathering.push(lookAgain(request, { ...query, values: elsewhere }, looks ?? 0));
    return merge(sources.parts, await Promise.all(gathering));
  }

  /** Waits longer each time, or until the caller has left. */
  async function lookAgain({ call, sinceMs }: Request, query: SearchQuery, looks: number): Promise<Gathered> {
    const { signal } = call;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clock.clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = clock.setTimeout(end, Math.min(longestLookMs, firstLookMs * 2 ** looks));
      signal.addEventListener("abort", end);
    });
    return gather({ call, sinceMs }, query, looks + 1);
  }

  /** Sends a call for these items: the caller's whole call, or the rest of it. */
  function begin(call: CompanyCall, query: SearchQuery, claim: string): PendingCall {
    const scope = scopeOf(call, query);
    const onOver = () => {
      const others = (inFlight.get(scope) ?? []).filter((other) => other !== pending);
      if (others.length > 0) inFlight.set(scope, others);
      else inFlight.delete(scope);
    };
    const pending = beginCall({ clock, paced, answers, call, query, scope, claim, onOver });
    inFlight.set(scope, [...(inFlight.get(scope) ?? []), pending]);
    return pending;
  }

  return search;
}

/** Where a caller's items come from. */
interface Sources {
  /** Records that the cache has. */
  readonly parts: Parts;
  /** Items that calls of this server will bring. */
  readonly joined: ReadonlyMap<PendingCall, readonly string[]>;
  /** Items that other servers' calls will bring. */
  readonly elsewhere: readonly string[];
  /** Items that the caller's own call must ask for. */
  readonly missing: readonly string[];
}

interface Look {
  /** The caller's own claim. */
  readonly claim: string;
  /** When the cache was asked. */
  readonly lookedAtMs: number;
  readonly pending: readonly PendingCall[];
  readonly bringing: ReadonlyMap<string, PendingCall>;
  readonly call: CompanyCall;
}

function sourcesOf(values: readonly string[], items: readonly FoundItem[], look: Look): Sources {
  const parts: Parts = new Map();
  const joined = new Map<PendingCall, string[]>();
  const elsewhere: string[] = [];
  const missing: string[] = [];
  values.forEach((value, index) => {
    const item = items[index] ?? { kind: "missing" };
    if (item.kind === "known") {
      const { record, around, fetchedAgoMs } = item;
      parts.set(value, { record, around, fetchedAtMs: look.lookedAtMs - fetchedAgoMs, isOwn: false });
      return;
    }
    const isOfOther = item.kind === "claimed" && item.claim !== look.claim;
    const other = isOfOther
      ? look.pending.find((each) => each.claim === item.claim)
      : look.bringing.get(value);
    if (isOfOther && other === undefined) elsewhere.push(value);
    else if (other !== undefined && mayJoin(other, look.call)) addTo(joined, other, value);
    else missing.push(value);
  });
  return { parts, joined, elsewhere, missing };
}

/**
 * Returns the records that the caller's own, smaller call brings. Its refusal isn't an answer to the whole, because it may name items by
 * position, unless it is about the caller's token.
 */
async function ofOwn({ query, outcome }: PendingCall): Promise<Gathered> {
  const ended = await outcome;
  if (ended.kind === "left") return ended;
  const { kind, answer } = ended;
  if (kind === "answered") return partsOf(ended, query, { values: query.values, isOwn: true });
  const isForAll = kind !== "refused" || answer.status === 401 || answer.status === 403;
  return isForAll ? { kind: "answer", answer } : { kind: "alone" };
}

/** Returns the records that a colleague's call brings. `again` looks for the items again. */
async function ofJoined(
  { query, outcome }: PendingCall,
  values: readonly string[],
  again: () => Promise<Gathered>,
): Promise<Gathered> {
  const ended = await outcome;
  if (ended.kind === "answered") return partsOf(ended, query, { values, isOwn: false });
  if (ended.kind === "rejected") return again();
  return ended.kind === "failed" ? { kind: "answer", answer: ended.answer } : { kind: "alone" };
}

/** An answer that can't be read counts as a refusal: it reaches only the caller that asked for it. */
function partsOf(
  { answer, fetchedAtMs }: Extract<CallOutcome, { kind: "answered" }>,
  query: SearchQuery,
  { values, isOwn }: { readonly values: readonly string[]; readonly isOwn: boolean },
): Gathered {
  const records = readSearchRecords(answer.body, query);
  if (records === null) return { kind: "alone" };
  const { around, byValue } = records;
  const parts = values.map((value): [string, Part] => {
    return [value, { record: byValue.get(value) ?? "", around, fetchedAtMs, isOwn }];
  });
  return { kind: "parts", parts: new Map(parts) };
}

function merge(parts: Parts, gathered: readonly Gathered[]): Gathered {
  for (const kind of ["left", "answer", "alone"] as const) {
    const found = gathered.find((each) => each.kind === kind);
    if (found !== undefined) return found;
  }
  for (const each of gathered) {
    if (each.kind === "parts") for (const [value, part] of each.parts) parts.set(value, part);
  }
  return { kind: "parts", parts };
}

function compose(parts: readonly Part[], nowMs: number): RelayedAnswer {
  const newest = parts.reduce((left, right) => (right.fetchedAtMs > left.fetchedAtMs ? right : left));
  const records = parts.map(({ record }) => record);
  const ages = parts.map(({ fetchedAtMs }) => nowMs - fetchedAtMs);
  const isCached = !parts.some(({ isOwn }) => isOwn);
  return {
    status: 200,
    headers: { "content-type": "application/json", ...agesHeader(ages, isCached) },
    body: writeAnswer(newest.around, records),
  };
}

/** An edit doesn't wait in the queue behind a colleague's sheet: it asks by itself. */
function mayJoin({ isEdit, sentAtMs }: PendingCall, { asker }: CompanyCall): boolean {
  return isEdit || sentAtMs !== null || !asker.isEdit;
}

/** Returns, for each item, the latest call that will bring it, if it is young enough and this caller may join it. */
function bringingOf(
  calls: readonly PendingCall[],
  { call, sinceMs }: Request,
): ReadonlyMap<string, PendingCall> {
  const usable = calls.filter((each) => (each.sentAtMs ?? Infinity) >= sinceMs && mayJoin(each, call));
  return new Map(usable.flatMap((each) => each.query.values.map((value) => [value, each])));
}

function addTo<K>(lists: Map<K, string[]>, key: K, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Distinguishes equal items. */
function scopeOf(
  { environment, address, consumerId }: CompanyCall,
  { storeNumber, itemType }: SearchQuery,
): string {
  return `${environment}\n${address}\n${consumerId}\n${storeNumber}\n${itemType}`;
}
