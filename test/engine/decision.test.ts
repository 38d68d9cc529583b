/** Which call leaves, and when to look again: the rules alone, without an engine. */
import { decide, type DispatchState } from "../../src/engine/scheduler/decision";
import type { CallKind } from "../../src/engine/queue";

type Openings = Partial<Record<CallKind, number>>;

interface FakeSender {
  readonly name: string;
  opensAtMs(kind: CallKind): number;
}

function sender(name: string, openings: Openings): FakeSender {
  return { name, opensAtMs: (kind) => openings[kind] ?? Infinity };
}

const nowMs = 1_000;
const always: Openings = { edit: 0, full: 0, "full-or-one-partial": 0, any: 0 };

/** The decision for these operations, in words: `search any`, or `look at 1200`. */
function decision(senders: readonly FakeSender[], more: Partial<DispatchState<FakeSender>> = {}): string {
  const { next, lookAgainAtMs, asksAboutSpending } = decide<FakeSender>({
    nowMs,
    senders,
    hasFreeSlot: true,
    tokenAtMs: 0,
    isPartFilledInFlight: false,
    quietAtMs: 0,
    spendingGate: () => ({ opensAtMs: 0, asks: false }),
    ...more,
  });
  const words = next === null ? `look at ${lookAgainAtMs}` : `${next.sender.name} ${next.kind}`;
  return asksAboutSpending ? `ask, ${words}` : words;
}

const search = sender("search", always);
const events = sender("events", always);
const onlyBacklog = { ...always, edit: Infinity };

it("sends nothing without a free slot, and waits for an answer", () => {
  expect(decision([search], { hasFreeSlot: false })).toBe("look at Infinity");
});

it("sends an edit before the backlog of an operation that comes first", () => {
  expect(decision([sender("search", onlyBacklog), events])).toBe("events edit");
});

it("sends for the operation that comes first", () => {
  expect(decision([sender("search", onlyBacklog), sender("events", onlyBacklog)])).toBe("search any");
  expect(decision([sender("events", onlyBacklog), sender("search", onlyBacklog)])).toBe("events any");
});

it.each<[string, Partial<DispatchState<FakeSender>>, CallKind]>([
  ["cells have stopped arriving", { quietAtMs: nowMs }, "any"],
  ["cells arrive and no part-filled call is in flight", { quietAtMs: nowMs + 5 }, "full-or-one-partial"],
  [
    "cells arrive and a part-filled call is in flight",
    { quietAtMs: nowMs + 5, isPartFilledInFlight: true },
    "full",
  ],
])("while %s, lets leave: %s", (_, more, kind) => {
  expect(decision([sender("search", { [kind]: 0 })], more)).toBe(`search ${kind}`);
  const others = Object.keys(always).filter((other) => other !== kind && other !== "edit");
  const openings = Object.fromEntries(others.map((other) => [other, 0]));
  expect(decision([sender("search", openings)], more)).toMatch(/^look at/);
});

it("looks again when cells have stopped arriving", () => {
  const more = { quietAtMs: nowMs + 5, isPartFilledInFlight: true };
  expect(decision([sender("search", { any: 0 })], more)).toBe("look at 1005");
});

it("looks again at the earliest of all openings, and at none that has passed", () => {
  const senders = [sender("search", { any: 3_000 }), sender("events", { edit: 2_000, any: 4_000 })];
  expect(decision(senders)).toBe("look at 2000");
  expect(decision([])).toBe("look at Infinity");
});

it("waits for the token", () => {
  expect(decision([search, events], { tokenAtMs: 1_500 })).toBe("look at 1500");
  expect(decision([search, events], { tokenAtMs: Infinity })).toBe("look at Infinity");
});

it("asks a person only about calls that nothing else delays, and never about edits", () => {
  const spendingGate = () => ({ opensAtMs: 9_000, asks: true });
  expect(decision([sender("search", onlyBacklog)], { spendingGate })).toBe("ask, look at 9000");
  expect(decision([sender("search", { any: 1_500 })], { spendingGate })).toBe("look at 1500");
  expect(decision([search], { spendingGate })).toBe("search edit");
});
