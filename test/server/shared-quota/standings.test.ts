/** Property: whatever happens to calls, a crowd counts as much as its members together, and everybody else alone. */
import { fc } from "../../helpers/properties";
import { type AccountState, newAccountState } from "../../../src/server/shared-quota/account-state";
import { standingsOf } from "../../../src/server/shared-quota/standings";
import { type CallEvent, step } from "../../../src/server/shared-quota/step";
import { replaceFinished, windowMs } from "../../../src/server/shared-quota/window";

const person = fc.integer({ min: 0, max: 9 });

const happening = fc.record({
  afterMs: fc.constantFrom(0, 0, 100, 1_000, 3_000, 30_000),
  kind: fc.constantFrom(
    "arrives",
    "arrives",
    "arrives",
    "ends",
    "leaves",
    "is denied",
    "other servers' calls",
  ),
  person,
  isEdit: fc.boolean(),
  /** Without a crowd, or in another one than before. */
  crowd: fc.constantFrom("office", "office", "shop", null),
  /** Which of the calls in flight or in the queue. */
  nth: fc.nat({ max: 20 }),
  isThrottled: fc.boolean(),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

it("counts newcomers with a single call as their crowd, and all other people alone", () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 10, maxLength: 60 }), (happenings) => {
      const state = newAccountState(20);
      let nowMs = 0;
      happenings.forEach((each, index) => {
        nowMs += each.afterMs;
        if (each.kind === "other servers' calls") tellOthers(state, each, nowMs);
        const events = eventsOf(state, each, String(index));
        step(state, { events, nowMs, chance: 0.5 });
        expect(standingsOf(state).all.map(counts).sort(byText)).toEqual(expected(state));
      });
    }),
    { numRuns: 60 },
  );
});

function eventsOf(state: AccountState, each: Happening, id: string): readonly CallEvent[] {
  const { kind, nth, crowd, isEdit, isThrottled } = each;
  if (kind === "arrives") {
    return [{ kind: "arrived", id, asker: { person: String(each.person), crowd, isEdit } }];
  }
  const [inFlight, all] = [[...state.inFlight.keys()], [...state.inFlight.keys(), ...state.queue.keys()]];
  const [one, any] = [inFlight[nth % inFlight.length], all[nth % all.length]];
  const end = isThrottled
    ? { kind: "throttled" as const, retryAfterMs: 1_000 }
    : { kind: "answered" as const };
  if (kind === "ends" && one !== undefined) return [{ kind: "ended", id: one, end }];
  if (kind === "is denied" && one !== undefined) return [{ kind: "denied", id: one }];
  if (kind === "leaves" && any !== undefined) return [{ kind: "cancelled", id: any }];
  return [];
}

/** Redis's list of finished calls: those known here, and one of another server. */
function tellOthers(state: AccountState, { person: number, crowd, isEdit }: Happening, nowMs: number): void {
  const calls = state.finished.map((call) => ({ ...call, crowd: null, sentAtMs: nowMs - 500 }));
  const another = { person: String(number), crowd, isPriorityEdit: isEdit, sentAtMs: nowMs - 100 };
  replaceFinished(state, [...calls, { ...another, countsUntilMs: nowMs + windowMs }]);
}

const counts = (standing: ReturnType<typeof standingsOf>["all"][number]) => {
  const { isCrowd, used, inFlight, priorityEdits, pending, reservedAtMs } = standing;
  return { isCrowd, used, inFlight, priorityEdits, pending, reservedAtMs };
};
const byText = (left: object, right: object) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);

function expected({ people }: AccountState) {
  const crowds = new Map<string, ReturnType<typeof counts>>();
  const alone: ReturnType<typeof counts>[] = [];
  for (const { crowd, used, inFlight, priorityEdits, queued, reservations } of people.values()) {
    const pending = queued.length + reservations.length;
    const own = { used, inFlight, priorityEdits, pending, reservedAtMs: reservations[0] ?? Infinity };
    if (crowd === null || used + pending > 1) {
      alone.push({ isCrowd: false, ...own });
      continue;
    }
    const sum = crowds.get(crowd);
    crowds.set(crowd, {
      isCrowd: true,
      used: (sum?.used ?? 0) + used,
      inFlight: (sum?.inFlight ?? 0) + inFlight,
      priorityEdits: (sum?.priorityEdits ?? 0) + priorityEdits,
      pending: (sum?.pending ?? 0) + pending,
      reservedAtMs: Math.min(sum?.reservedAtMs ?? Infinity, own.reservedAtMs),
    });
  }
  return [...alone, ...crowds.values()].sort(byText);
}
