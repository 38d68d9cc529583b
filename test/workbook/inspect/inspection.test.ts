/** Inspection: what a selected cell asks for, what it shows without a request, and what a request adds. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { InvError } from "../../../src/domain/errors";
import { functionPreview } from "../../../src/functions/preview";
import { startFunctions } from "../../../src/functions/context";
import { createInspection, type Found, type Inspection } from "../../../src/workbook/inspect/inspection";
import { createBed, item, noQuota } from "../../engine/bed";
import { cellKey } from "../../../src/workbook/addresses";
import { contextOn } from "../../functions/fakes";
import { createMemoryWorkbook } from "../memory-workbook";

const cell = (row: number, col: number) => ({ sheet: "Plan", row, col });
const gtin = "00000000000017";

function page(events: readonly unknown[]): unknown {
  return { store_nbr: 1000, gtin, event_history_item_details: events, next_page_token: null };
}

function createStage() {
  const bed = createBed({
    ...noQuota,
    history: () =>
      page([
        {
          event_type: "SALES",
          event_qty: "2",
          event_creation_time: "2026-11-19T10:00:00",
          aggregated_qty: "5",
        },
      ]),
  });
  const { engine, clock, service } = bed;
  const workbook = createMemoryWorkbook(["Plan"]);
  const cells = createCellRegister({ clock });
  startFunctions({ ...contextOn(clock), engine, cells });
  const inspection = createInspection({
    workbook,
    engine,
    cells,
    clock,
    functions: functionPreview,
  });
  const query = { ...item(0, 17) };
  workbook.put(cell(0, 0), "Store");
  workbook.put(cell(0, 1), "GTIN");
  for (let row = 1; row <= 5; row++) {
    workbook.put(cell(row, 0), 1000);
    workbook.put(cell(row, 1), String(16 + row).padStart(14, "0"));
  }

  /** Calculates as a function does. */
  async function calculate(address: string): Promise<void> {
    const call = cells.begin(address, "demo");
    call.requests(query);
    const answer = await clock.until(engine.item(query, address));
    call.answered(answer.fetchedAtMs);
    call.settled();
  }

  const select = (row: number, col: number) => workbook.select({ ...cell(row, col), rows: 1, cols: 1 });
  const calls = () => service.calls.length;
  let isFollowing = false;
  /** Selects this cell and waits until everything is read. */
  async function lookAt(row: number, col: number): Promise<void> {
    if (!isFollowing) inspection.follow(() => undefined);
    isFollowing = true;
    await select(row, col);
    await clock.turns();
  }
  return { ...bed, workbook, cells, inspection, calculate, select, lookAt, query, calls };
}

function found(inspection: Inspection): Found {
  const state = inspection.state();
  if (state.kind !== "found") throw new Error(`Expected an inspected cell, found ${state.kind}.`);
  return state;
}

describe("looking at a cell with an INV formula", () => {
  it("shows the fresh record in the turn of the selection, without reading the sheet and without a request", async () => {
    const { inspection, calculate, select, calls, workbook } = createStage();
    await calculate("Plan!C2");
    const sent = calls();
    const read = jest.spyOn(workbook, "read");
    inspection.follow(() => undefined);
    void select(1, 2);
    const { inspectedCell, item: answer, history, price } = found(inspection);
    expect(inspectedCell).toMatchObject({ from: "formula", address: "Plan!C2", problem: null });
    expect(answer).toMatchObject({ found: true });
    expect(history).toBeNull();
    expect(price).toMatchObject({ searchCalls: 0, eventCallsAtLeast: 1 });
    expect(read).not.toHaveBeenCalled();
    expect(calls()).toBe(sent);
  });

  it("shows why there is no value, and what was given", async () => {
    const { inspection, cells, select, lookAt } = createStage();
    const error = new InvError("bad-argument", 'item: expected a GTIN, received "x". Write its digits only.');
    const call = cells.begin("Plan!C3", "demo");
    call.failed(error, { row: 0, col: 0, store: "1000", item: "x" });
    call.settled();
    await lookAt(2, 2);
    expect(found(inspection).inspectedCell.problem).toMatchObject({ store: "1000", item: "x", error });
    cells.forget(["Plan!C3"]);
    await select(3, 5);
    await lookAt(2, 2);
    expect(found(inspection).inspectedCell).toMatchObject({ from: "row", problem: null });
  });

  it("recalculates the cell after a new request, so that it shows no older number", async () => {
    const { inspection, calculate, select, clock, engine, workbook, query } = createStage();
    await calculate("Plan!C2");
    await clock.advance(engine.settings.freshnessMs + 1);
    inspection.follow(() => undefined);
    await select(1, 2);
    expect(found(inspection).price).toMatchObject({ searchCalls: 1, eventCallsAtLeast: 1 });
    inspection.ask();
    await clock.runAll(5_000);
    expect(engine.isFresh(query)).toBe(true);
    expect(workbook.recalculated).toEqual([[cell(1, 2)]]);
    expect(found(inspection)).toMatchObject({
      asking: false,
      price: null,
      history: { value: { length: 1 } },
    });
  });
});

it("recognizes an INV formula that wasn't calculated in this session, and calculates it on demand", async () => {
  const { inspection, workbook, calculate, calls, lookAt } = createStage();
  workbook.put(cell(20, 9), '=INV.QTY(1000,"17")');
  await lookAt(20, 9);
  expect(inspection.state()).toEqual({ kind: "uncalculated", cell: cell(20, 9) });
  expect(calls()).toBe(0);
  inspection.ask();
  expect(workbook.recalculated).toEqual([[cell(20, 9)]]);
  await calculate("Plan!J21");
  expect(found(inspection).inspectedCell).toMatchObject({ from: "formula", address: "Plan!J21" });
  workbook.put(cell(21, 9), "=SUM(1,2)");
  await lookAt(21, 9);
  expect(inspection.state()).toMatchObject({ kind: "nothing" });
});

describe("looking at a row with a store and an item", () => {
  it("shows the price first, requests only on demand, and then shows the answer", async () => {
    const { inspection, clock, calls, lookAt } = createStage();
    await lookAt(1, 7);
    expect(found(inspection).inspectedCell).toMatchObject({
      from: "row",
      item: { storeNumber: 1000, value: gtin },
    });
    expect(found(inspection)).toMatchObject({ item: null, price: { searchCalls: 1, eventCallsAtLeast: 1 } });
    expect(calls()).toBe(0);
    inspection.ask();
    inspection.ask();
    expect(found(inspection).asking).toBe(true);
    await clock.runAll(5_000);
    expect(found(inspection)).toMatchObject({ asking: false, price: null, item: { found: true } });
    expect(calls()).toBe(3);
  });

  it("takes the columns from the headings, however far above the row they are", async () => {
    const { inspection, workbook, lookAt } = createStage();
    for (const [col, heading] of ["Store", "Qty", "GTIN"].entries()) workbook.put(cell(0, col), heading);
    for (let row = 1; row <= 300; row++) {
      workbook.put(cell(row, 0), 1000);
      workbook.put(cell(row, 1), 40 + row);
      workbook.put(cell(row, 2), gtin);
    }
    await lookAt(290, 7);
    expect(found(inspection).inspectedCell.item).toMatchObject({ storeNumber: 1000, value: gtin });
  });

  it("shows why a request failed, until the next cell is selected", async () => {
    const { inspection, clock, service, lookAt } = createStage();
    service.script((call) => (call.operation === "token" ? new Response("no", { status: 401 }) : undefined));
    await lookAt(1, 7);
    inspection.ask();
    await clock.runAll(60_000);
    expect(found(inspection).failed?.code).toBe("credentials-refused");
    await lookAt(2, 7);
    expect(found(inspection).failed).toBeNull();
  });

  it("shows the latest selected cell, however late an earlier row was read", async () => {
    const { inspection, clock, workbook, lookAt } = createStage();
    const read = workbook.read.bind(workbook);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    jest.spyOn(workbook, "read").mockImplementationOnce(async (area, what) => {
      await held;
      return read(area, what);
    });
    await lookAt(1, 7);
    expect(inspection.state().kind).toBe("looking");
    await lookAt(3, 7);
    letGo();
    await clock.turns();
    expect(found(inspection).inspectedCell.item?.value).toBe("00000000000019");
  });

  it("finds nothing without a store and an item", async () => {
    const { inspection, lookAt } = createStage();
    await lookAt(0, 3);
    expect(inspection.state().kind).toBe("nothing");
    await lookAt(90, 3);
    expect(inspection.state().kind).toBe("nothing");
  });
});

describe("looking at a cell of a grid over lists", () => {
  const gtins = [gtin, "00000000000018"];
  const anchor = { sheet: "Plan", row: 10, col: 1 };

  async function gridOverLists(formula = "=INV.QTY(Stores_North,TRANSPOSE(Items_Top))") {
    const stage = createStage();
    const { workbook, cells } = stage;
    await workbook.addSheet("Lists");
    for (const [row, store] of [1000, 1001].entries()) {
      workbook.put({ sheet: "Lists", row, col: 0 }, store);
      workbook.put({ sheet: "Lists", row, col: 1 }, gtins[row]!);
    }
    workbook.definedNames.push(
      { name: "Stores_North", sheet: null, formula: "=Lists!$A$1:$A$2" },
      { name: "Items_Top", sheet: null, formula: "=Lists!$B$1:$B$2" },
    );
    workbook.put(anchor, formula);
    workbook.spills.set(cellKey(anchor), { rows: 2, cols: 2 });
    for (const place of [cell(10, 2), cell(11, 1), cell(11, 2)]) workbook.put(place, 7);
    /** Calculates as the function does. */
    function calculate(stores: readonly number[]): void {
      const call = cells.begin("Plan!B11", "demo");
      for (const store of stores) {
        for (const value of gtins) call.requests({ storeNumber: store, itemType: "gtin", value });
      }
      call.settled();
    }
    return { ...stage, calculate };
  }

  it("shows the store and item of that cell, and its own price", async () => {
    const { inspection, calculate, lookAt } = await gridOverLists();
    calculate([1000, 1001]);
    await lookAt(11, 1);
    expect(found(inspection)).toMatchObject({
      inspectedCell: { address: "Plan!B11", others: 0, item: { storeNumber: 1001, value: gtins[0] } },
      price: { searchCalls: 1 },
    });
    await lookAt(10, 2);
    expect(found(inspection).inspectedCell.item).toMatchObject({ storeNumber: 1000, value: gtins[1] });
    await lookAt(10, 1);
    expect(found(inspection).inspectedCell).toMatchObject({
      others: 3,
      item: { storeNumber: 1000, value: gtins[0] },
    });
  });

  it("works before the formula was calculated, and requests only this cell", async () => {
    const { inspection, clock, calls, workbook, lookAt } = await gridOverLists();
    await lookAt(11, 2);
    expect(found(inspection).inspectedCell).toMatchObject({
      invCell: null,
      item: { storeNumber: 1001, value: gtins[1] },
    });
    expect(calls()).toBe(0);
    inspection.ask();
    await clock.runAll(5_000);
    expect(found(inspection)).toMatchObject({ item: { found: true }, price: { searchCalls: 0 } });
    expect(workbook.recalculated).toEqual([]);
  });

  it("doesn't show another cell's item for a refused one, and follows the list", async () => {
    const { inspection, clock, calculate, cells, workbook, lookAt } = await gridOverLists();
    calculate([1000, 1001]);
    workbook.put({ sheet: "Lists", row: 0, col: 1 }, "1234x");
    const call = cells.begin("Plan!B11", "demo");
    call.requests({ storeNumber: 1000, itemType: "gtin", value: gtins[1]! });
    const error = new InvError("bad-argument", "item: refused.");
    call.failed(error, { row: 0, col: 0, store: "1000", item: "1234x" });
    call.settled();
    await lookAt(10, 1);
    expect(found(inspection).inspectedCell).toMatchObject({ item: null, problem: { error } });
    workbook.put({ sheet: "Lists", row: 0, col: 1 }, gtins[0]!);
    calculate([1000, 1001]);
    await clock.advance(500);
    expect(found(inspection).inspectedCell).toMatchObject({ item: { value: gtins[0] }, problem: null });
  });

  it("reads areas and words in any spelling, and uses the register for more than one call", async () => {
    const areas = await gridOverLists('=inv.qty( $A$2:$A$3 , transpose(Items_Top), , , "gtin" )');
    areas.calculate([1000, 1000]);
    await areas.lookAt(11, 2);
    expect(found(areas.inspection).inspectedCell.item).toMatchObject({ storeNumber: 1000, value: gtins[1] });
    const nested = await gridOverLists("=IFNA(INV.QTY(Stores_North,TRANSPOSE(Items_Top)),0)");
    nested.calculate([1000, 1001]);
    await nested.lookAt(11, 1);
    expect(found(nested.inspection).inspectedCell.item).toMatchObject({ storeNumber: 1001, value: gtins[0] });
  });
});
