/**
 * Property: the service's answers arrive in any order, fail, break, or are abandoned by their callers.
 * Every caller receives one of three things: records of its own consumer, a refusal of its own call, or a failure.
 * The records match the requested items, and none is older than the caller allows. The property chooses the order of the answers.
 */
import { fc } from "../../helpers/properties";
import type { RelayedAnswer } from "../../../src/server/answer";
import { ask, createBed, gtin, json, okAnswer, recordsOf, type SentCall } from "./bed";

const action = fc.record({
  consumerId: fc.constantFrom("acme", "acme", "acme", "bolt"),
  values: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
  maxAgeMs: fc.constantFrom(0, 30, 100_000, 100_000),
  leaves: fc.boolean(),
  answersBefore: fc.integer({ min: 0, max: 2 }),
});
const fate = fc.constantFrom<"ok" | number | "truncated">(
  "ok",
  "ok",
  "ok",
  "ok",
  400,
  404,
  429,
  500,
  "truncated",
);

describe("any order of calls and answers", () => {
  it("never confuses consumers, items, ages or refusals, and settles every call", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(action, { maxLength: 14 }), fc.infiniteStream(fate), run),
      { numRuns: 150 },
    );
  });
});

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

async function run(
  scheduler: fc.Scheduler,
  actions: readonly Action[],
  fates: Iterator<Fate>,
): Promise<void> {
  const fateOf = new Map<SentCall, Fate>();
  const bed = createBed({
    limit: 1_000_000,
    arrive: (call) =>
      Promise.race([
        scheduler.schedule(Promise.resolve()),
        new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve())),
      ]),
  });
  bed.script((call) => {
    const number = bed.sent.length - 1;
    const next = fates.next().value as Fate;
    fateOf.set(call, next);
    const good = okAnswer(call.consumerId, call.store, call.values, number);
    if (next === "ok") return good;
    if (next === "truncated") return json(200, `${good.body.toString().slice(0, -2)} ${call.values.join()}`);
    return json(next, `{"detail":"${call.values.join()}"}`);
  });

  const ends: Promise<void>[] = [];
  for (const { consumerId, values, maxAgeMs, leaves, answersBefore } of actions) {
    for (let answered = 0; answered < answersBefore && scheduler.count() > 0; answered += 1) {
      await scheduler.waitNext(1);
    }
    await bed.clock.advance(10);
    const leaver = new AbortController();
    const asked = {
      atMs: bed.clock.now(),
      consumerId,
      values: values.map(gtin),
      maxAgeMs,
    };
    const call = ask({ ...asked, signal: leaver.signal });
    ends.push(
      bed.search(call).then((answer) => {
        if (!leaver.signal.aborted) check(answer, { ...asked, sent: bed.sent, fateOf });
      }),
    );
    await bed.clock.turns();
    if (leaves) leaver.abort();
  }
  const state = { isOver: false };
  const all = Promise.all(ends).finally(() => (state.isOver = true));
  all.catch(() => undefined);
  for (let turns = 0; !state.isOver && turns < 1_000; turns += 1) {
    if (scheduler.count() > 0) await scheduler.waitNext(1);
    // A 429 pauses the quota.
    await bed.clock.advance(10);
  }
  if (!state.isOver) throw new Error("A call was never answered.");
  await all;
}

interface Asked {
  readonly atMs: number;
  readonly consumerId: string;
  readonly values: readonly string[];
  readonly maxAgeMs: number;
  readonly sent: readonly SentCall[];
  readonly fateOf: ReadonlyMap<SentCall, Fate>;
}

function check(answer: RelayedAnswer | null, asked: Asked): void {
  if (answer === null) throw new Error("A caller that has not left got no answer.");
  const text = answer.body.toString();
  if (answer.status === 429 || answer.status === 500) return;
  if (answer.status !== 200 || !text.endsWith("}")) {
    // A refusal or a broken answer belongs to a call with exactly the values that this caller asked for.
    expect(text).toContain(asked.values.join());
    return;
  }
  const records = recordsOf(answer);
  expect(records).toHaveLength(asked.values.length);
  for (const [index, value] of asked.values.entries()) {
    const item = records[index] as {
      gtin: string;
      note: string;
      inventory_locations: { quantity: number }[];
    };
    expect(item.gtin).toBe(value);
    expect(item.note).toMatch(new RegExp(`^${asked.consumerId},`));
    const call = asked.sent[Math.floor(item.inventory_locations[0]?.quantity ?? NaN)];
    expect(call?.values).toContain(value);
    expect(asked.fateOf.get(call!)).toBe("ok");
    expect(call!.atMs).toBeGreaterThanOrEqual(asked.atMs - asked.maxAgeMs);
  }
}
