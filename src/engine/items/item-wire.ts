/**
 * `POST /search-items` for the lane: how a call of up to 100 items of one store is built, and what each outcome means
 * for its items. A value the service refused ends alone and the rest is asked for again; a refusal that names nothing
 * starts a bisection (see `bisection`).
 * Invariant: every item of the call is answered, failed, asked for again, or held by the call that follows.
 */
import type { Failure, SearchOutcome } from "../../api/outcomes";
import { buildSearchRequest, readSearchResponse, type SearchQuery } from "../../api/search-items";
import { consumerIdOf } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import type { ItemRecord } from "../../domain/records";
import type { Answer } from "../answer";
import { type Stamp, askedOf, type Call, newCall, type Known } from "../entry";
import { nothingRead, type Reading, type Wire, type ConnectionTools } from "../lane-types";
import { beginBisection, type Bisection, halfAnswered, halfRefused, type Step } from "./bisection";
import type { ItemEntry } from "./item-index";

type ItemWireOptions = Pick<
  ConnectionTools,
  "environment" | "credentials" | "clock" | "settings" | "clearedAtMs" | "maxBytes"
>;

type SearchAnswer = Exclude<SearchOutcome, Failure>;
type Items = Extract<SearchAnswer, { kind: "items" }>;
type ItemCall = Call<ItemEntry, Bisection>;
type ItemReading = Reading<ItemRecord, ItemEntry, Bisection>;

export function createItemWire(
  options: ItemWireOptions,
): Wire<ItemRecord, ItemEntry, Bisection, SearchAnswer> {
  const consumerId = consumerIdOf(options.credentials);
  const { environment, clock, settings, clearedAtMs, maxBytes } = options;

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

  function readItems(call: ItemCall, { items, agesMs }: Items): ItemReading {
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
      const asked = ageMs === 0 ? askedAt : before(askedAt, clock.steadyNow() - ageMs);
      const answer: Known<ItemRecord> =
        item.kind === "record"
          ? { found: true, value: item.record, fetchedAtMs, asked }
          : { found: false, error: item.error, fetchedAtMs, asked };
      answered.push({ entry, answer });
    }
    return goOn(call, { answered, failed });
  }

  function readOffenders(call: ItemCall, offenders: ReadonlyMap<number, InvError>): ItemReading {
    const refused = [...offenders].flatMap(([index, error]) => {
      const entry = call.entries[index];
      return entry === undefined ? [] : noes(call, [entry], error);
    });
    const again = call.entries.filter((_, index) => !offenders.has(index));
    return { ...goOn(call, { answered: refused }), again };
  }

  function noes(call: ItemCall, entries: readonly ItemEntry[], error: InvError): ItemReading["answered"] {
    const no: Answer<ItemRecord> = { found: false, error, fetchedAtMs: clock.now() };
    const answer = { ...no, asked: askedOf(call) };
    return entries.map((entry) => ({ entry, answer }));
  }

  /** The half has been answered, if this was one. */
  function goOn(call: ItemCall, read: Partial<ItemReading>): ItemReading {
    const reading = { ...nothingRead, ...read };
    return call.goesOn === null ? reading : follow(call, halfAnswered(call.goesOn), reading);
  }

  function readUnexplained(call: ItemCall, error: InvError): ItemReading {
    const { entries, goesOn } = call;
    const step = goesOn === null ? beginBisection(entries, error) : halfRefused(entries, goesOn);
    return follow(call, step, nothingRead);
  }

  function follow(call: ItemCall, step: Step, reading: ItemReading): ItemReading {
    const { blamed, givenUp, halves, error } = step;
    return {
      ...reading,
      answered: [...reading.answered, ...noes(call, blamed, error)],
      failed: [...reading.failed, ...givenUp.map((entry) => ({ entry, error }))],
      follows: halves.map(({ half, bisection }) => {
        const rest = [...bisection.suspects, ...bisection.others];
        const { isEdit, isPartFilled } = call;
        return newCall({ entries: [...half], rest, goesOn: bisection, isEdit, isPartFilled });
      }),
    };
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
          return goOn(call, { answered: noes(call, call.entries, answer.error) });
        case "unexplained":
          return readUnexplained(call, answer.error);
      }
    },
    unanswered: ({ entries, rest }, error) => ({
      ...nothingRead,
      failed: [...entries, ...rest].map((entry) => ({ entry, error })),
    }),
  };
}

function queryOf({ entries }: ItemCall): SearchQuery {
  const [first] = entries;
  if (first === undefined) throw new Error("A call of no item.");
  return { ...first.group.of, values: entries.map(({ value }) => value) };
}

/** A colleague's call was sent before this one. */
function before(asked: Stamp, otherAtMs: number): Stamp {
  return { ...asked, atMs: Math.min(asked.atMs, otherAtMs) };
}

function leftOut(): InvError {
  return new InvError("missing-answer", "The answer left this item out. Refresh to ask again.");
}
