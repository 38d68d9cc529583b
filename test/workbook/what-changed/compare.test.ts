/** Which contents count as a change, by properties; and how changes are sorted and filtered. */
import { fc } from "../../helpers/properties";
import { compare } from "../../../src/workbook/what-changed/compare";
import { type CellChange, filterChanges, largestFirst } from "../../../src/workbook/what-changed/report";
import type { CellContent } from "../../../src/workbook/port";

const facts = { isUnanswered: false, isQuantity: true };
const error = (name: string): CellContent => ({ error: name });
const quantity = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(0, 0.1, 0.3, 1e9));
const silent = fc.constantFrom<CellContent>(
  null,
  "",
  ...["#BUSY!", "#NAME?", "#GETTING_DATA", "#SPILL!"].map(error),
);
const value = fc.oneof<fc.Arbitrary<CellContent>[]>(
  quantity,
  fc.boolean(),
  fc.string({ minLength: 1 }),
  fc.constantFrom(error("#N/A"), error("#DIV/0!")),
);
const isBlank = (one: CellContent) => one === null || one === "";
const content = fc.oneof(value, silent, fc.constant(error("#VALUE!")));

describe("one cell", () => {
  it("that shows the same has not changed", () => {
    fc.assert(fc.property(value, (one) => expect(compare(one, one, facts).verdict).toBe("same")));
  });

  it("without a value before or after is neither changed nor the same", () => {
    fc.assert(
      fc.property(silent, content, (none, other) => {
        fc.pre(!isBlank(none) || !isBlank(other));
        expect(compare(none, other, facts)).toEqual({ verdict: "no-value", difference: null });
      }),
    );
    fc.assert(
      fc.property(value, silent, (one, none) => {
        expect(compare(one, none, facts)).toEqual({ verdict: "no-value", difference: null });
      }),
    );
  });

  it("that stays blank isn't counted", () => {
    const blank = fc.constantFrom<CellContent>(null, "");
    fc.assert(
      fc.property(blank, blank, fc.boolean(), (before, after, isUnanswered) => {
        expect(compare(before, after, { ...facts, isUnanswered }).verdict).toBe("blank");
      }),
    );
  });

  it("without an answer isn't a change, even if the cell shows another value", () => {
    fc.assert(
      fc.property(value, content, (one, other) => {
        expect(compare(one, other, { ...facts, isUnanswered: true }).verdict).toBe("not-answered");
        expect(compare(one, error("#VALUE!"), facts).verdict).toBe("not-answered");
      }),
    );
  });

  it("has the opposite difference in the opposite direction, and recognizes zero", () => {
    fc.assert(
      fc.property(quantity, quantity, (one, other) => {
        fc.pre(one !== other);
        const there = compare(one, other, facts);
        const back = compare(other, one, facts);
        expect(there.difference).toBe(-Number(back.difference));
        expect(there.verdict).toBe(other === 0 ? "to-zero" : one === 0 ? "from-zero" : "changed");
      }),
    );
  });

  it.each([
    ["a text", "SALE", "RETURN"],
    ["a time", 45_000.5, 45_001.25, { ...facts, isQuantity: false }],
    ["a number that became an answer without one", 12, error("#N/A")],
    ["an answer that became a number", error("#N/A"), 12],
    ["a number that became a text", 12, "12"],
  ])("of %s has changed, and not by so much", (_what, before, after, given = facts) => {
    expect(compare(before, after, given)).toEqual({ verdict: "changed", difference: null });
  });

  it("calculates decimals exactly: 0.3 - 0.1 is 0.2", () => {
    expect(compare(0.1, 0.3, facts).difference).toBe(0.2);
  });
});

const change = fc.tuple(quantity, quantity, fc.boolean()).map(([before, after, isText]): CellChange => ({
  ...{ sheet: "Plan", row: 1, col: 2, store: "1234", item: "00012345678905", isTime: false },
  ...(isText ? { before: "a", after: "b", difference: null } : { before, after, difference: after - before }),
}));

describe("the list of changes", () => {
  const size = ({ difference }: CellChange): number => (difference === null ? -1 : Math.abs(difference));

  it("starts with the largest difference, loses none, and keeps the order among equals", () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const sorted = largestFirst(changes);
        expect([...sorted]).toEqual([...changes].sort((a, b) => size(b) - size(a)));
      }),
    );
  });

  it("contains after a filter exactly what passes it, in the same order", () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const numbers = changes.filter(({ difference }) => difference !== null);
        expect(filterChanges(changes, "all")).toEqual(changes);
        expect(filterChanges(changes, "to-zero")).toEqual(numbers.filter(({ after }) => after === 0));
        expect(filterChanges(changes, "from-zero")).toEqual(numbers.filter(({ before }) => before === 0));
      }),
    );
  });
});
