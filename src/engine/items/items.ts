/**
 * Items for the lane. Their index: one entry per item however many cells ask, in groups of a store and an item type, of
 * which the service takes 100 in a call; calls are made up at the last moment, of all that waits of a group by then. Their
 * wire, over `POST /search-items`: how such a call is built, and what each outcome means for its items. A value the service
 * refused ends alone and the rest is asked for again; a refusal that names nothing starts a bisection (see `bisection`).
 * Invariant: every item of a call is answered, failed, asked for again, or held by the call that follows.
 */
import type { Failure, SearchOutcome } from "../../api/outcomes";
import { buildSearchRequest, readSearchResponse, type SearchQuery } from "../../api/search-items";
import { consumerIdOf } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import { groupKey } from "../../domain/query-keys";
import type { ItemQuery, ItemRecord } from "../../domain/records";
import { askedOf, type Call, type Entry, type Known } from "../entry";
import { createGroupQueues } from "../group-queues";
import { createGroups } from "../groups";
import { type ConnectionTools, nothingRead, type Reading, type WaitingIndex, type Wire } from "../lane-types";
import { afterRefusal, type Bisection, goOn } from "./bisection";

/** What the items of a call have in common. */
export type ItemsOf = Pick<ItemQuery, "storeNumber" | "itemType">;
export type ItemEntry = Entry<ItemRecord, ItemsOf>;
type ItemCall = Call<ItemEntry, Bisection<ItemEntry>>;
type ItemReading = Reading<ItemRecord, ItemEntry, Bisection<ItemEntry>>;
type SearchAnswer = Exclude<SearchOutcome, Failure>;
type ItemWire = Wire<ItemRecord, ItemEntry, Bisection<ItemEntry>, SearchAnswer>;

/** Items of one call, as the service documents. */
export const itemsPerCall = 100;

export function createItemGroups() {
  return createGroups<ItemQuery, ItemRecord, ItemsOf>({
    keyOf: ({ storeNumber, itemType }) => groupKey(storeNumber, itemType),
    ofAll: ({ storeNumber, itemType }) => ({ storeNumber, itemType }),
    valueOf: ({ value }) => value,
    weightOf: () => 1,
    isNeeded: () => false,
  });
}

export function createItemIndex(preferred: () => number): WaitingIndex<ItemQuery, ItemRecord, ItemsOf> {
  const groups = createItemGroups();
  const queues = createGroupQueues<ItemRecord, ItemsOf>({
    preferred,
    isFull: ({ waiting }) => waiting.length >= itemsPerCall,
    callsOf: ({ waiting }) => Math.ceil(waiting.length / itemsPerCall),
    // The first of a call, or its last: most are neither, and there are 100,000.
    mayHaveChanged: ({ waiting }) => waiting.length % itemsPerCall <= 1,
  });

  return {
    groups,
    queues,
    find: groups.find,
    remember: groups.remember,
    sourceOf: (entry) => entry,
    known: ({ answer }) => answer,
    shown: ({ group }) => groups.used(group),
    callAlong: () => undefined,
    next(kind) {
      const group = queues.nextGroup(kind);
      if (group === undefined) return null;
      const entries = queues.takeFrom(group, itemsPerCall);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    firstOf(queries) {
      const [first] = queries;
      if (first === undefined) return null;
      const key = groupKey(first.storeNumber, first.itemType);
      const ofGroup = queries.filter(({ storeNumber, itemType }) => groupKey(storeNumber, itemType) === key);
      const entries = ofGroup.slice(0, itemsPerCall).map(groups.entryOf);
      queues.leave(entries);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    ended({ entries: [first] }) {
      if (first !== undefined) groups.grown(first.group);
    },
  };
}

export function createItemWire(options: ConnectionTools): ItemWire {
  const { environment, clock, settings, clearedAtMs, maxBytes } = options;
  const consumerId = consumerIdOf(options.credentials);

  /**
   * How old an answer of a colleague's call may be: what cells bear, or a refresh; never older than what was shown.
   * A canary, and a bisection, ask the service itself.
   */
  function maxAgeMs({ entries, canary, goesOn }: ItemCall): number {
    if (canary !== null || goesOn !== null) return 0;
    const { freshnessMs, refreshAgeMs } = settings();
    const nowMs = clock.steadyNow();
    let mostMs = Math.min(freshnessMs, nowMs - clearedAtMs());
    for (const { answer, wantedEpoch } of entries) {
      if (wantedEpoch > (answer?.asked.epoch ?? 0)) mostMs = Math.min(mostMs, refreshAgeMs);
      // Less a second, in which calls take their different times on the way.
      if (answer !== null) mostMs = Math.min(mostMs, nowMs - answer.asked.atMs - 1_000);
    }
    return mostMs;
  }

  function readItems(
    call: ItemCall,
    { items, agesMs }: Extract<SearchAnswer, { kind: "items" }>,
  ): ItemReading {
    const arrivedAtMs = clock.now();
    const askedAt = askedOf(call);
    const answered: { entry: ItemEntry; answer: Known<ItemRecord> }[] = [];
    const failed: { entry: ItemEntry; error: InvError }[] = [];
    for (const [index, entry] of call.entries.entries()) {
      const item = items[index];
      if (item === undefined || item.kind === "unreadable") {
        failed.push({ entry, error: item?.error ?? leftOut() });
        continue;
      }
      const ageMs = agesMs[index] ?? 0;
      const fetchedAtMs = arrivedAtMs - ageMs;
      // A colleague's call was sent before this one.
      const sentAtMs = Math.min(askedAt.atMs, clock.steadyNow() - ageMs);
      const asked = ageMs === 0 ? askedAt : { ...askedAt, atMs: sentAtMs };
      const answer: Known<ItemRecord> =
        item.kind === "record"
          ? { found: true, value: item.record, fetchedAtMs, asked }
          : { found: false, error: item.error, fetchedAtMs, asked };
      answered.push({ entry, answer });
    }
    return ended(call, { ...nothingRead, answered, failed });
  }

  function readOffenders(call: ItemCall, offenders: ReadonlyMap<number, InvError>): ItemReading {
    const answered = call.entries.flatMap((entry, index) => {
      const error = offenders.get(index);
      return error === undefined ? [] : noes(call, [entry], error);
    });
    const again = call.entries.filter((_, index) => !offenders.has(index));
    return ended(call, { ...nothingRead, answered, again });
  }

  function readUnexplained(call: ItemCall, error: InvError): ItemReading {
    const bisection = afterRefusal(call, error);
    const blamed = call.entries.length === 1 ? noes(call, call.entries, bisection.error) : [];
    return goOn(call, bisection, { ...nothingRead, answered: blamed });
  }

  /** The service's "no" to these. */
  function noes(call: ItemCall, entries: readonly ItemEntry[], error: InvError): ItemReading["answered"] {
    const answer = { found: false as const, error, fetchedAtMs: clock.now(), asked: askedOf(call) };
    return entries.map((entry) => ({ entry, answer }));
  }

  return {
    build(call, accessToken, signal) {
      const isShared = environment.pacedBy === "server";
      const company = isShared ? { isEdit: call.isEdit, maxAgeMs: maxAgeMs(call) } : null;
      return buildSearchRequest(environment, queryOf(call), { consumerId, accessToken, signal, company });
    },
    receive: (call, response) => readSearchResponse(response, queryOf(call), { maxBytes }),
    read(call, answer) {
      switch (answer.kind) {
        case "items":
          return readItems(call, answer);
        case "offenders":
          return readOffenders(call, answer.offenders);
        case "no-data":
        case "request-refused":
          return ended(call, { ...nothingRead, answered: noes(call, call.entries, answer.error) });
        case "unexplained":
          return readUnexplained(call, answer.error);
      }
    },
    unanswered: ({ held }, error) => ({ ...nothingRead, failed: held.map((entry) => ({ entry, error })) }),
  };
}

/** Where this was the half of a bisection, it has been answered, so that the other one holds the offender. */
function ended(call: ItemCall, reading: ItemReading): ItemReading {
  return call.goesOn === null ? reading : goOn(call, call.goesOn, reading);
}

function queryOf({ entries }: ItemCall): SearchQuery {
  const [first] = entries;
  if (first === undefined) throw new Error("A call of no item.");
  return { ...first.group.of, values: entries.map(({ value }) => value) };
}

function leftOut(): InvError {
  return new InvError("missing-answer", "The answer left this item out. Refresh to ask again.");
}
