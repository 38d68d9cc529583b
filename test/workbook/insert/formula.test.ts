/** The text of a formula, its arguments, and that each filled row is the same in R1C1. */
import { fc } from "../../helpers/properties";
import { isInvError } from "../../../src/domain/errors";
import { parseAreaChoice, parseItemType, parseLocationArea, parseState } from "../../../src/domain/choices";
import { onlyCall } from "../../../src/formula/calls";
import { makeFormula } from "../../../src/workbook/insert/formula";
import {
  type DescribedFunction,
  isPerRow,
  readFunctionsList,
} from "../../../src/workbook/insert/functions-list";
import type { Pick, Picks } from "../../../src/workbook/insert/picks";
import { formulasOf } from "../../../src/workbook/insert/put";
import { absoluteAddress, toR1C1 } from "../../../src/formula/references";
import { functions, named, noNames } from "./stage";

const make = (described: DescribedFunction, picks: Picks, row: number, names = noNames) =>
  makeFormula({ described, picks, names }, row);
const column = (col: number): Pick => ({ kind: "column", sheet: "Plan", col });
const typed = (text: string): Pick => ({ kind: "typed", text });
const word = (text: string): Pick => ({ kind: "word", word: text });

describe("the list of functions", () => {
  it.each([
    ["QTY", true],
    ["LASTEVENT", true],
    ["EVENTS", false],
    ["ENV", false],
  ])("says whether %s returns a value per row: %s", (id, isSo) => {
    expect(isPerRow(named(id))).toBe(isSo);
  });

  it("has exactly the words that the functions accept", () => {
    const parsers = { item_type: parseItemType, state: parseState } as const;
    for (const { id, arguments: all } of functions) {
      for (const { name, choices, usedWhenLeftOut } of all) {
        if (choices.length === 0) continue;
        const areas = id === "QTY" ? parseAreaChoice : parseLocationArea;
        const parse = name === "location_area" ? areas : parsers[name as keyof typeof parsers];
        for (const choice of choices) expect(parse(choice)).toBe(choice);
        expect(choices).toContain(usedWhenLeftOut);
        const refused = parse("something else");
        const allowed = isInvError(refused) ? refused.message : "";
        expect(allowed).toContain(`expected ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)!}`);
      }
    }
  });

  it("is refused in another shape", () => {
    expect(() => readFunctionsList({ functions: [{ id: "QTY" }] })).toThrow(/functions-list\.json/);
    expect(() => readFunctionsList("<html>")).toThrow(/Build the add-in again/);
  });
});

describe("a formula", () => {
  const rows: readonly (readonly [string, Picks, string])[] = [
    ["QTY", { store: column(0), item: column(1) }, "=INV.QTY(A2,B2)"],
    ["QTY", { store: column(0), item: column(1), location_area: word("STORE") }, "=INV.QTY(A2,B2)"],
    ["QTY", { store: column(27), item: typed("00012345678905") }, '=INV.QTY(AB2,"00012345678905")'],
    [
      "QTY",
      { store: typed(" 0057 "), item: column(1), state: word("NET_AVAILABLE") },
      '=INV.QTY(57,B2,,"NET_AVAILABLE")',
    ],
    [
      "QTY",
      { store: typed("$B$1"), item: typed("'It''s, a \"list\"'!$C$3") },
      "=INV.QTY($B$1,'It''s, a \"list\"'!$C$3)",
    ],
    ["QTY", { store: typed('12"A'), item: column(1) }, '=INV.QTY("12""A",B2)'],
    ["EVENTS", { store: column(0), gtin: column(1), headers: word("FALSE") }, "=INV.EVENTS(A2,B2,,,,,FALSE)"],
    [
      "EVENTQTY",
      {
        store: column(0),
        gtin: column(1),
        event_type: word("SALES"),
        start_date: { kind: "days-ago", days: 2 },
        end_date: { kind: "days-ago", days: 0 },
      },
      '=INV.EVENTQTY(A2,B2,"SALES",TODAY()-2,TODAY())',
    ],
    ["ENV", {}, "=INV.ENV()"],
  ];
  it.each(rows)("%s of %j", (id, picks, formula) => {
    expect(make(named(id), picks, 1)).toEqual({ formula, missing: [], spills: false });
    const count = onlyCall(formula)!.texts.length;
    expect(count).toBeLessThanOrEqual(named(id).arguments.length);
  });

  const names = {
    ...noNames,
    areaOf: (text: string) =>
      /^(?:north|top|hq)$/i.test(text) ? { sheet: "Other", row: 1, col: 0, rows: 9, cols: 1 } : null,
    isSingle: (name: string) => name === "HQ",
  };
  const list = (name: string): Pick => ({ kind: "list", name });
  it.each([
    [{ store: list("North"), item: list("Top") }, "=INV.QTY(North,TRANSPOSE(Top))", true],
    [{ store: typed("1234"), item: list("Top") }, "=INV.QTY(1234,Top)", true],
    [{ store: typed(" north "), item: typed("$B$1") }, "=INV.QTY(north,$B$1)", true],
    [{ store: column(0), item: list("Top") }, "=INV.QTY(A2,TRANSPOSE(Top))", true],
    [{ store: list("North"), item: column(1) }, "=INV.QTY(TRANSPOSE(North),B2)", true],
    [{ store: typed("HQ"), item: column(1) }, "=INV.QTY(HQ,B2)", false],
    [{ store: typed("South"), item: list("gone") }, '=INV.QTY("South")', false],
  ])("names of cells: %j", (picks, formula, spills) => {
    expect(make(named("QTY"), picks as Picks, 1, names)).toMatchObject({ formula, spills });
  });

  it("reports missing arguments", () => {
    expect(make(named("QTY"), { item: typed(" ") }, 1).missing).toEqual(["store", "item"]);
  });

  it("is read with the arguments with which it was made", () => {
    const pick = fc.oneof(
      fc.constant<Pick>({ kind: "left-out" }),
      fc.nat(100).map(column),
      fc.string().map(typed),
      fc.string().map(word),
      fc
        .tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.nat(50), fc.nat(50))
        .map(([sheet, row, col]) => typed(absoluteAddress({ sheet, row, col }, "Plan"))),
    );
    fc.assert(
      fc.property(
        fc.record({ store: pick, item: pick, location_area: pick, state: pick, item_type: pick }),
        (picks) => {
          const { formula } = make(named("QTY"), picks, 1);
          const texts = onlyCall(formula)!.texts;
          expect(`=INV.QTY(${texts.join(",")})`).toBe(formula);
          const alone = Object.entries(picks).map(([name, own]) => {
            const single = make(
              { ...named("QTY"), arguments: named("QTY").arguments.filter((each) => each.name === name) },
              { [name]: own },
              1,
            );
            return single.formula.slice("=INV.QTY(".length, -1);
          });
          expect([...texts, ...Array<string>(5 - texts.length).fill("")]).toEqual(alone);
        },
      ),
    );
  });

  it("is the same in R1C1 in every filled row", () => {
    const { formula } = make(
      named("QTY"),
      {
        store: typed("'Q4 2026'!$B$1"),
        item: column(1),
        location_area: typed("C$1"),
        state: typed('A9" B9'),
      },
      4,
    );
    const lines = formulasOf(formula, 30).map(([text]) => text!);
    expect(lines[0]).toBe(formula);
    expect(lines[29]).toBe(`=INV.QTY('Q4 2026'!$B$1,B34,C$1,"A9"" B9")`);
    const alike = new Set(lines.map((text, down) => toR1C1(text, { row: 4 + down, col: 5 })));
    expect(alike.size).toBe(1);
  });
});
