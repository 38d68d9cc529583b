/**
 * `POST /search-items` for the batcher: builds the request for a call and reads what each outcome means for its items. A value
 * that a 400 names gets its own error, and the rest is requested again. A 400 that names nothing starts a bisection (see
 * `bisection.ts`).
 * Invariant: every item of a call is answered, failed, requested again, or in the continuation.
 */
import { type Failure, isFailure, type SearchOutcome } from "../../api/outcomes";
import { buildSearchRequest, readSearchResponse, type SearchQuery } from "../../api/search-items";
import { consumerIdOf } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import { type ItemQuery, type ItemRecord, unclearQuantity } from "../../domain/records";
import { sentAtOf, type Call, type CachedAnswer, type Entry } from "../entry";
import type { EngineRefresh } from "../engine-refresh";
import type { ConnectionContext } from "../connection-context";
import { emptyResult, type CallResult, type Codec } from "../planner-and-codec";
import { bisectionAfterRefusal, withNextStep } from "./bisection";

type ItemEntry = Entry<ItemQuery, ItemRecord>;
type ItemCall = Call<ItemQuery, ItemRecord>;
type ItemResult = CallResult<ItemQuery, ItemRecord>;
type ItemsOutcome = Extract<SearchOutcome, { kind: "items" }>;

export function createItemCodec(
  options: ConnectionContext & { readonly latestRefresh: () => EngineRefresh | null },
): Codec<ItemQuery, ItemRecord> {
  const { environment, clock, settings, clearedAtMs, maxBytes } = options;
  const consumerId = consumerIdOf(options.credentials);

  /**
   * Returns how old a colleague's answer may be. The settings for cells and for a refresh limit it, and it must be newer than what
   * the cells already show. Bisections accept no colleague's answer.
   */
  function maxAgeMs({ entries, bisection }: ItemCall): number {
    if (bisection !== null) return 0;
    const { freshnessMs } = settings();
    const refreshAgeMs = options.latestRefresh()?.acceptedAgeMs() ?? 0;
    const nowMs = clock.steadyNow();
    let maxMs = Math.min(freshnessMs, nowMs - clearedAtMs());
    for (const { answer, minimumEpoch } of entries) {
      if (minimumEpoch > (answer?.sentAt.epoch ?? 0)) maxMs = Math.min(maxMs, refreshAgeMs);
      // One second less, because calls take different times on the way.
      if (answer !== null) maxMs = Math.min(maxMs, nowMs - answer.sentAt.atMs - 1_000);
    }
    return maxMs;
  }

  function resultOf(call: ItemCall, outcome: Exclude<SearchOutcome, Failure>): ItemResult {
    switch (outcome.kind) {
      case "items":
        return withBisection(call, readItems(call, outcome));
      case "offenders":
        return withBisection(call, readOffenders(call, outcome.offenders));
      case "no-data":
      case "request-refused":
        return withBisection(call, negativeAnswers(call, call.entries, outcome.error));
      case "unexplained": {
        const bisection = bisectionAfterRefusal(call, outcome.error);
        const refused = call.entries.length === 1 ? call.entries : [];
        return withNextStep(negativeAnswers(call, refused, bisection.error), bisection, call);
      }
    }
  }

  function readItems(call: ItemCall, { items, agesMs }: ItemsOutcome): ItemResult {
    const nowMs = clock.now();
    const sentNow = sentAtOf(call);
    const answered: { entry: ItemEntry; answer: CachedAnswer<ItemRecord> }[] = [];
    const unanswered: { entry: ItemEntry; error: InvError }[] = [];
    for (const [index, item] of items.entries()) {
      const entry = call.entries[index];
      if (entry === undefined) continue;
      if (item.kind === "unreadable") {
        unanswered.push({ entry, error: item.error });
        continue;
      }
      const lost = item.kind === "record" ? lostQuantity(entry.answer, item.record) : null;
      if (lost !== null) {
        unanswered.push({ entry, error: lost });
        continue;
      }
      const ageMs = agesMs[index] ?? 0;
      // The colleague's call was sent before this one.
      const sentAtMs = Math.min(sentNow.atMs, clock.steadyNow() - ageMs);
      const sentAt = ageMs === 0 ? sentNow : { ...sentNow, atMs: sentAtMs };
      const fetchedAtMs = nowMs - ageMs;
      const answer: CachedAnswer<ItemRecord> =
        item.kind === "record"
          ? { found: true, value: item.record, fetchedAtMs, sentAt }
          : { found: false, error: item.error, fetchedAtMs, sentAt };
      answered.push({ entry, answer });
    }
    return { ...emptyResult, answered, unanswered };
  }

  function readOffenders(call: ItemCall, offenders: ReadonlyMap<number, InvError>): ItemResult {
    const answered = call.entries.flatMap((entry, index) => {
      const error = offenders.get(index);
      return error === undefined ? [] : negativeAnswers(call, [entry], error).answered;
    });
    const requeued = call.entries.filter((_, index) => !offenders.has(index));
    return { ...emptyResult, answered, requeued };
  }

  /** Gives these items the service's "no": no such value, or a value that it refuses. */
  function negativeAnswers(call: ItemCall, entries: readonly ItemEntry[], error: InvError): ItemResult {
    const answer = { found: false as const, error, fetchedAtMs: clock.now(), sentAt: sentAtOf(call) };
    return { ...emptyResult, answered: entries.map((entry) => ({ entry, answer })) };
  }

  return {
    build(call, accessToken, signal) {
      const isShared = environment.pacedBy === "server";
      const teamServerTerms = isShared ? { isEdit: call.isEdit, maxAgeMs: maxAgeMs(call) } : null;
      return buildSearchRequest(environment, queryOf(call), {
        consumerId,
        accessToken,
        signal,
        teamServerTerms,
      });
    },
    async receive(call, response, secrets) {
      const outcome = await readSearchResponse(response, queryOf(call), { maxBytes, secrets });
      return isFailure(outcome) ? outcome : { kind: "answered", read: () => resultOf(call, outcome) };
    },
    resultOfFailure: ({ entriesToSettle }, error) => ({
      ...emptyResult,
      unanswered: entriesToSettle.map((entry) => ({ entry, error })),
    }),
  };
}

/**
 * A record with a location that INV can't read doesn't replace a last known number: it counts as no answer, and cells keep the last
 * known record. Returns its error, or null if no number is lost.
 */
function lostQuantity(known: CachedAnswer<ItemRecord> | null, { locations }: ItemRecord): InvError | null {
  const odd = locations.find(({ fault }) => fault !== undefined);
  if (odd === undefined || known === null || !known.found) return null;
  const isLost = known.value.locations.some(
    ({ locationArea, state, quantity }) =>
      quantity !== null &&
      !locations.some(
        (each) => each.locationArea === locationArea && each.state === state && each.quantity !== null,
      ),
  );
  return isLost ? unclearQuantity(odd) : null;
}

/** If the half that a bisection sent was answered, the other half contains the refused item. */
function withBisection(call: ItemCall, result: ItemResult): ItemResult {
  return call.bisection === null ? result : withNextStep(result, call.bisection, call);
}

function queryOf({ entries }: ItemCall): SearchQuery {
  const [first] = entries;
  if (first === undefined) throw new Error("A call of no item.");
  const { storeNumber, itemType } = first.group.query;
  return { storeNumber, itemType, values: entries.map(({ value }) => value) };
}
