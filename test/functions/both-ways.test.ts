/**
 * A formula of single values takes a shorter way than a range formula. Both must show the same, ask the same,
 * and leave the same in the cell register, whatever stands in the arguments and however the service answers.
 */
import fc from "fast-check";
import { InvError } from "../../src/domain/errors";
import type { HistoryAnswer, ItemAnswer } from "../../src/engine/answer";
import { eventQuantity, lastEvent } from "../../src/functions/catalogue/events";
import { asOf, qty, status, updated } from "../../src/functions/catalogue/inventory";
import { openSession } from "../../src/functions/session";
import { event, fakeSession, found, none, nowMs, record, shownBy, withHost } from "./fakes";

withHost();

type Formula = (...cells: unknown[][][]) => Promise<unknown[][]>;

const formulas: readonly (readonly [name: string, formula: Formula, mostArguments: number])[] = [
  ["QTY", qty as Formula, 5],
  ["UPDATED", updated as Formula, 3],
  ["STATUS", status as Formula, 3],
  ["ASOF", asOf as Formula, 3],
  ["EVENTQTY", eventQuantity as Formula, 6],
  ["LASTEVENT", lastEvent as Formula, 4],
];

const blanks = [null, undefined, "", "  ", 0, { type: "Empty", basicType: "Empty", basicValue: "" }];
const good = {
  store: [1234, "1234", " 0099", { type: "Double", basicType: "Double", basicValue: 1234 }],
  item: ["00012345678905", 12345678905, "'00012345678906", 123456789, "(01)00012345678905"],
  option: ["STORE", "all", "BACKROOM", "AVAILABLE", "net available", "gtin", "wm_item_number", "SALES"],
  date: ["2026-11-01", 46_327, "2026-11-19", 46_000.5, "2027-01-01"],
};
const bad = [
  ...[true, false, 7, -1, 1.5, NaN, Infinity, 1e21, "O012", "12345", "x".repeat(80), "#N/A", "#REF!"],
  ...["#N/A", "#DIV/0!", "#VALUE!", "#BUSY!"].map((basicValue) => ({
    ...{ type: "Error", basicType: "Error", basicValue },
  })),
  { type: "Entity", text: "Bolt", properties: {}, basicType: "Error", basicValue: "#VALUE!" },
];

const anyCell = (usual: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...usual) },
    { weight: 2, arbitrary: fc.constantFrom(...blanks) },
    { weight: 2, arbitrary: fc.constantFrom(...bad) },
    { weight: 1, arbitrary: fc.oneof(fc.string(), fc.double(), fc.integer()) },
  );

const anyArguments = fc
  .tuple(
    anyCell(good.store),
    anyCell(good.item),
    fc.array(anyCell([...good.option, ...good.option, ...good.date, null, null]), { maxLength: 4 }),
  )
  .map(([store, item, options]) => [store, item, ...options]);

const staleBecause = new InvError("service-down", "The service is not available.");
const itemAnswers: readonly (() => ItemAnswer)[] = [
  () => found(record()),
  () => found(record({ locations: [], lastUpdatedMs: null })),
  () => found(record({ locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: null }] })),
  () => ({ ...found(record(), nowMs - 5000), staleBecause }),
  () => none("not-mapped", "GTIN not mapped to the supplier"),
  () => none("no-data", "No data found"),
  () => {
    throw new InvError("quota", "The quota is used up.");
  },
  () => {
    throw new TypeError("a slip of ours");
  },
];
const historyAnswers: readonly (() => HistoryAnswer)[] = [
  () => found([event("SALES", -3), event("SALES", -2), event("RECEIVING", 9)]),
  () => found([]),
  () => found([{ ...event("SALES", 1), quantity: null }]),
  () => none("not-mapped", "GTIN not mapped to the supplier"),
  () => none("no-data", "No data found"),
  () => {
    throw new InvError("service-down", "The service is not available.");
  },
];

interface Answers {
  readonly item: () => ItemAnswer;
  readonly history: () => HistoryAnswer;
  /** What is at hand already, for ASOF. */
  readonly isKnown: boolean;
}

async function outcome(formula: Formula, cells: readonly unknown[][][], answers: Answers): Promise<object> {
  const session = fakeSession();
  session.engine.answerItem = answers.item;
  session.engine.answerHistory = answers.history;
  session.engine.knownItem = () => (answers.isKnown ? found(record(), nowMs - 9000) : undefined);
  openSession(session);
  const invocation = { address: "Plan!C2" } as unknown as unknown[][];
  const shown = await shownBy(formula(...cells, invocation));
  return {
    shown,
    asked: { items: session.engine.items, histories: session.engine.histories, cells: session.engine.cells },
    register: [...session.cells.all()].map(({ address, asked, environmentId, ...rest }) => ({
      ...{ address, asked, environmentId, state: rest.state },
      ...{ error: reasonOf(rest.error), owedBecause: reasonOf(rest.owedBecause) },
      ...{ oldestMs: rest.oldestMs, newestMs: rest.newestMs },
    })),
    summary: session.cells.summary(),
    problems: session.cells.activity
      .recent()
      .map(({ error, ...rest }) => ({ ...rest, error: reasonOf(error) })),
  };
}

const reasonOf = (error: InvError | null): string | null => error && `${error.code} ${error.message}`;

const first = (shown: unknown): unknown => (Array.isArray(shown) ? (shown as unknown[][])[0]?.[0] : shown);

describe("a formula of single values", () => {
  it.each(formulas)("does as its range form does: %s", async (_name, formula, mostArguments) => {
    await fc.assert(
      fc.asyncProperty(
        anyArguments,
        fc.record({
          item: fc.constantFrom(...itemAnswers),
          history: fc.constantFrom(...historyAnswers),
          isKnown: fc.boolean(),
        }),
        async (values, answers) => {
          const given = Array.from({ length: mostArguments }, (_, at) => [[values[at] ?? null]]);
          const single = (await outcome(formula, given, answers)) as { shown: unknown };
          // The same store above a blank one is a range, whose second place asks nothing.
          const [store = [], ...rest] = given;
          const ranged = (await outcome(formula, [[...store, [null]], ...rest], answers)) as {
            shown: unknown;
          };
          const [, second] = ranged.shown as unknown[][];
          expect(second).toEqual([""]);
          expect({ ...ranged, shown: first(ranged.shown) }).toEqual(single);
        },
      ),
      { numRuns: 150 },
    );
  });
});
