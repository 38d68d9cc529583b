/** Insert before it writes: the formula's place, its value and price, refused rows, and that preview and price are right. */
import { fc } from "../../helpers/properties";
import { functionsById } from "../../../src/functions/preview";
import { cellKey } from "../../../src/workbook/addresses";
import { evaluateArguments } from "../../../src/workbook/insert/evaluate";
import type { Pick, Picks } from "../../../src/workbook/insert/picks";
import { resultOf } from "../../../src/workbook/insert/appraise";
import { putFormula } from "../../../src/workbook/insert/put";
import type { CellValue } from "../../../src/workbook/port";
import { withHost } from "../../functions/fakes";
import { createStage, functions, gtin, heading, list, named, noNames, planIn } from "./stage";

withHost();

describe("beside a list", () => {
  it("finds the columns, fills the formula down, and sends nothing", async () => {
    const stage = createStage(list(250));
    await stage.begin(1, 3, "QTY");
    expect(planIn(stage.insert)).toMatchObject({
      formula: "=INV.QTY(A2,B2)",
      area: { sheet: "Plan", row: 1, col: 3, rows: 250, cols: 1 },
    });
    const { appraisal, list: found } = stage.insert.state();
    expect(found?.columns.map((each) => each.heading)).toEqual(heading);
    expect(appraisal).toMatchObject({ cells: 250, refused: [], preview: null });
    expect(appraisal?.price).toMatchObject({ searchCalls: 3, eventCallsAtLeast: 0 });
    expect(appraisal?.previewPrice).toMatchObject({ searchCalls: 1, eventCallsAtLeast: 0 });
    expect(stage.service.calls).toHaveLength(0);
  });

  it("requests the first value once", async () => {
    const stage = createStage(list(5));
    await stage.begin(1, 3, "QTY");
    stage.insert.ask();
    stage.insert.ask();
    expect(stage.insert.state().asking).toBe(true);
    await stage.clock.runAll(2_000);
    expect(stage.calls()).toBe(1);
    const { appraisal, asking } = stage.insert.state();
    expect(asking).toBe(false);
    expect(appraisal?.preview).toEqual({ rows: [[expect.stringMatching(/^\d+$/)]], reason: null });
    expect(appraisal?.previewPrice).toBeNull();
    stage.choose("STATUS");
    await stage.clock.turns();
    expect(stage.insert.state().appraisal?.preview).toEqual({ rows: [["SUCCESS"]], reason: null });
    expect(stage.calls()).toBe(1);
  });

  it("names refused rows; blank rows request nothing", async () => {
    const rows = [...list(3), [1000, "OOO17", null], [null, gtin(99), null], [1001, gtin(98), null]];
    const stage = createStage(rows);
    await stage.begin(1, 3, "QTY");
    expect(planIn(stage.insert).area.rows).toBe(6);
    const { appraisal } = stage.insert.state();
    expect(appraisal?.cells).toBe(4);
    expect(appraisal?.refused.map(({ row }) => row)).toEqual([5]);
    expect(appraisal?.refused[0]?.reason).toMatch(/OOO17/);
  });

  it("requests a list of item numbers by item number", async () => {
    const stage = createStage([
      ["Store", "Item no."],
      [1000, 123456789],
      [1000, 123456790],
    ]);
    await stage.begin(1, 2, "UPDATED");
    expect(planIn(stage.insert).formula).toBe('=INV.UPDATED(A2,B2,"wm_item_number")');
    expect(stage.insert.state().appraisal).toMatchObject({ cells: 2, refused: [] });
  });

  it("reports missing arguments on a sheet without a list", async () => {
    const stage = createStage([["Notes"], ["call Ann"]]);
    await stage.begin(5, 3, "QTY");
    expect(stage.insert.state().plan).toBeNull();
    expect(stage.insert.state().lacks).toBe("Still to choose: store, item.");
    stage.choose("QTY", { store: { kind: "typed", text: "1000" }, item: { kind: "typed", text: gtin(17) } });
    await stage.clock.turns();
    expect(planIn(stage.insert)).toMatchObject({
      formula: `=INV.QTY(1000,"${gtin(17)}")`,
      area: { row: 5, rows: 1 },
    });
  });

  it("refuses a formula that would refer to its own cells", async () => {
    const stage = createStage(list(5));
    await stage.begin(1, 1, "QTY");
    expect(stage.insert.state().plan).toBeNull();
    expect(stage.insert.state().lacks).toMatch(/its own cells/);
    await stage.select(1, 3);
    stage.choose("QTY", { store: { kind: "typed", text: "Plan!$D$4" } });
    await stage.clock.advance(1_000);
    expect(stage.insert.state().lacks).toMatch(/its own cells/);
    stage.choose("QTY", { store: { kind: "typed", text: "Other!$D$4" } });
    await stage.clock.turns();
    expect(planIn(stage.insert).formula).toBe("=INV.QTY(Other!$D$4,B2)");
  });

  it("puts a table into one cell, and uses the planner's own date", async () => {
    const stage = createStage(list(5));
    await stage.begin(2, 4, "EVENTS", { start_date: { kind: "days-ago", days: 1 } }, { rows: 3 });
    expect(planIn(stage.insert)).toMatchObject({
      formula: "=INV.EVENTS(A3,B3,,TODAY()-1)",
      area: { row: 2, rows: 1 },
    });
    stage.insert.ask();
    await stage.clock.runAll(2_000);
    const [call] = stage.service.of("events");
    expect(call?.url.searchParams.get("start_date")).toBe("2026-11-19");
    expect(stage.service.of("events")).toHaveLength(1);
  });

  it("shows why a request failed", async () => {
    const stage = createStage(list(2));
    await stage.begin(1, 3, "QTY");
    stage.engine.connect(null);
    stage.insert.ask();
    await stage.clock.turns();
    expect(stage.insert.state().failed?.code).toBe("not-connected");
  });
});

describe("preview and cells agree", () => {
  const words = (...all: string[]) => fc.constantFrom(...all).map((word): Pick => ({ kind: "word", word }));
  const left = fc.constant<Pick>({ kind: "left-out" });
  const ago = fc.integer({ min: 0, max: 6 }).map((days): Pick => ({ kind: "days-ago", days }));
  const picked = fc.record({
    location_area: fc.oneof(left, words("BACKROOM", "ALL", "elsewhere")),
    state: fc.oneof(left, words("NET_AVAILABLE")),
    event_type: words("SALES", "RETURNS"),
    start_date: fc.oneof(left, ago, fc.constant<Pick>({ kind: "typed", text: "2026-11-18" })),
    end_date: fc.oneof(left, ago),
  });
  const store = fc.constantFrom<CellValue>(1000, "1001", "x", null, 0);
  const item = fc.constantFrom<CellValue>(
    gtin(17),
    18,
    gtin(21),
    "123456789",
    "OOO12345678905",
    null,
    "12345678905",
  );
  const ofStores = functions.filter(({ arguments: all }) => all.some(({ name }) => name === "store"));
  const ids = ofStores.map(({ id }) => id);

  /** Calls every function as Excel does, from its own cell. */
  function calculate(id: string, given: readonly unknown[], address: string): Promise<unknown[][]> {
    return (functionsById[id] as (...given: unknown[]) => Promise<unknown[][]>)(...given, {
      address,
      functionName: id,
    });
  }

  it("for a spilled reference (A1#)", async () => {
    const { workbook } = createStage([["Store"], [1234], [57]]);
    workbook.spills.set(cellKey({ sheet: "Plan", row: 1, col: 0 }), { rows: 2, cols: 1 });
    const standing = { area: { sheet: "Plan", row: 0, col: 4, rows: 1, cols: 1 }, names: noNames, nowMs: 0 };
    const argumentsAt = await evaluateArguments(
      workbook,
      '=INV.QTY(A2#,TRANSPOSE(Plan!A2#),"STORE")',
      standing,
    );
    expect(argumentsAt(0)).toEqual([[[1234], [57]], [[1234, 57]], "STORE"]);
    await expect(evaluateArguments(workbook, "=INV.QTY(A2*2,1)", standing)).rejects.toMatchObject({
      code: "internal",
    });
  });

  it("in value and price, for any rows and picks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ids),
        picked,
        fc.array(fc.tuple(store, item), { minLength: 1, maxLength: 6 }),
        async (id, choices, rows) => {
          const stage = createStage([["Store", "GTIN"], [1000, gtin(3)], ...rows]);
          const { insert, clock, workbook } = stage;
          const columns = [0, 1].map((col): Pick => ({ kind: "column", sheet: "Plan", col }));
          const picks: Picks = { ...choices, store: columns[0]!, item: columns[1]!, gtin: columns[1]! };
          await stage.begin(2, 5, id, picks, { rows: rows.length });
          const plan = planIn(insert);
          const before = insert.state().appraisal!;
          expect(stage.calls()).toBe(0);
          expect(await putFormula(workbook, { ...plan, overwrite: false, random: Math.random })).toEqual({
            kind: "put",
            cells: plan.area.rows,
          });
          const written = await workbook.read({ ...plan.area, rows: 1 }, "formulas");
          expect(written).toEqual([[plan.formula]]);

          const { area } = plan;
          const names = named(id).arguments;
          const ends = Array.from({ length: area.rows }, async (_, down) => {
            const [[text]] = (await workbook.read(
              { ...area, row: area.row + down, rows: 1 },
              "formulas",
            )) as [[string]];
            const own = { ...area, row: area.row + down, rows: 1 };
            const given = (
              await evaluateArguments(workbook, text, {
                ...{ area: own, names: noNames },
                nowMs: clock.now(),
              })
            )(0);
            return resultOf(
              calculate(
                id,
                names.map((_each, at) => given[at] ?? null),
                `Plan!F${area.row + down + 1}`,
              ),
            );
          });
          const shown = await clock.until(Promise.all(ends));
          const { searchCalls, eventCallsAtLeast } = before.price;
          expect(stage.service.of("search")).toHaveLength(searchCalls);
          // If a filter found nothing, the whole history is requested again.
          expect(stage.service.of("events").length).toBeGreaterThanOrEqual(eventCallsAtLeast);

          await clock.runAll(5_000);
          if (insert.state().appraisal?.preview === null) {
            const calls = stage.calls();
            insert.ask();
            await clock.runAll(5_000);
            expect(stage.calls()).toBeLessThanOrEqual(calls + 1);
          }
          expect(insert.state().appraisal?.preview).toEqual(shown[0]);
          const fails = shown.flatMap(({ reason }, down) =>
            /expected/.test(reason ?? "") ? [area.row + down + 1] : [],
          );
          if (area.rows > 1) expect(before.refused.map(({ row }) => row)).toEqual(fails);
        },
      ),
      { numRuns: 200 },
    );
  });
});
