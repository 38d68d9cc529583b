/**
 * `POST /search-items` for the batcher: builds the request for a call and reads what each outcome means for its items. A value
 * that the service refused gets its own error and the rest is requested again; a refusal that names nothing starts a
 * bisection (see `bisection`).
 * Invariant: every item of a call is answered, failed, requested again, or in the call that follows.
 */
import type { Failure, SearchOutcome } from "../../api/outcomes";
import { buildSearchRequest, readSearchResponse, type SearchQuery } from "../../api/search-items";
import { consumerIdOf } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { ItemRecord } from "../../domain/records";
import { sentAtOf, type Call, type CachedAnswer } from "../entry";
import type { ConnectionContext } from "../connection-context";
import { emptyResult, type CallResult, type Codec } from "../codec";
import type { ItemEntry } from "./item-planner";
import { afterRefusal, type Bisection, goOn } from "./bisection";

type ItemCall = Call<ItemEntry, Bisection<ItemEntry>>;
type ItemResult = CallResult<ItemRecord, ItemEntry, Bisection<ItemEntry>>;
type SearchAnswer = Exclude<SearchOutcome, Failure>;
type ItemCodec = Codec<ItemRecord, ItemEntry, Bisection<ItemEntry>, SearchAnswer>;

export function createItemCodec(options: ConnectionContext): ItemCodec {
  const { environment, clock, settings, clearedAtMs, maxBytes } = options;
  const consumerId = consumerIdOf(options.credentials);

  /**
   * Returns how old a colleague's answer may be: the setting for cells or for a refresh, but never older than what was shown.
   * Probes and bisections accept none.
   */
  function maxAgeMs({ entries, probe, continuation }: ItemCall): number {
    if (probe !== null || continuation !== null) return 0;
    const { freshnessMs, refreshAgeMs } = settings();
    const nowMs = clock.steadyNow();
    let mostMs = Math.min(freshnessMs, nowMs - clearedAtMs());
    for (const { answer, wantedEpoch } of entries) {
      if (wantedEpoch > (answer?.sentAt.epoch ?? 0)) mostMs = Math.min(mostMs, refreshAgeMs);
      // One second less, because calls take different times on the way.
      if (answer !== null) mostMs = Math.min(mostMs, nowMs - answer.sentAt.atMs - 1_000);
    }
    return mostMs;
  }

  function readItems(
    call: ItemCall,
    { items, agesMs }: Extract<SearchAnswer, { kind: "items" }>,
  ): ItemResult {
    const arrivedAtMs = clock.now();
    const askedAt = sentAtOf(call);
    const answered: { entry: ItemEntry; answer: CachedAnswer<ItemRecord> }[] = [];
    const failed: { entry: ItemEntry; error: InvError }[] = [];
    for (const [index, entry] of call.entries.entries()) {
      const item = items[index];
      if (item === undefined || item.kind === "unreadable") {
        failed.push({ entry, error: item?.error ?? leftOut() });
        continue;
      }
      const ageMs = agesMs[index] ?? 0;
      const fetchedAtMs = arrivedAtMs - ageMs;
      // The colleague's call was sent before this one.
      const sentAtMs = Math.min(askedAt.atMs, clock.steadyNow() - ageMs);
      const sentAt = ageMs === 0 ? askedAt : { ...askedAt, atMs: sentAtMs };
      const answer: CachedAnswer<ItemRecord> =
        item.kind === "record"
          ? { found: true, value: item.record, fetchedAtMs, sentAt }
          : { found: false, error: item.error, fetchedAtMs, sentAt };
      answered.push({ entry, answer });
    }
    return continued(call, { ...emptyResult, answered, failed });
  }

  function readOffenders(call: ItemCall, offenders: ReadonlyMap<number, InvError>): ItemResult {
    const answered = call.entries.flatMap((entry, index) => {
      const error = offenders.get(index);
      return error === undefined ? [] : negativeAnswers(call, [entry], error);
    });
    const again = call.entries.filter((_, index) => !offenders.has(index));
    return continued(call, { ...emptyResult, answered, again });
  }

  function readUnexplained(call: ItemCall, error: InvError): ItemResult {
    const bisection = afterRefusal(call, error);
    const blamed = call.entries.length === 1 ? negativeAnswers(call, call.entries, bisection.error) : [];
    return goOn(call, bisection, { ...emptyResult, answered: blamed });
  }

  /** Answers these items with "no such value". */
  function negativeAnswers(
    call: ItemCall,
    entries: readonly ItemEntry[],
    error: InvError,
  ): ItemResult["answered"] {
    const answer = { found: false as const, error, fetchedAtMs: clock.now(), sentAt: sentAtOf(call) };
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
          return continued(call, {
            ...emptyResult,
            answered: negativeAnswers(call, call.entries, answer.error),
          });
        case "unexplained":
          return readUnexplained(call, answer.error);
      }
    },
    unanswered: ({ reserved }, error) => ({
      ...emptyResult,
      failed: reserved.map((entry) => ({ entry, error })),
    }),
  };
}

/** Continues a bisection whose half was answered: the other half contains the refused item. */
function continued(call: ItemCall, reading: ItemResult): ItemResult {
  return call.continuation === null ? reading : goOn(call, call.continuation, reading);
}

function queryOf({ entries }: ItemCall): SearchQuery {
  const [first] = entries;
  if (first === undefined) throw new Error("A call of no item.");
  return { ...first.group.scope, values: entries.map(({ value }) => value) };
}

function leftOut(): InvError {
  return new InvError("missing-answer", "The answer left this item out. Refresh to ask again.");
}
