/** The Functions sheet: every function live, and every value as the service says when asked directly. */
import type { CellValue } from "../../src/workbook/port";
import { movedNow } from "../helpers/moved-date";
import { eventually, origin } from "./support";
import { askService, openWorkbook, type WorkbookPage } from "./workbook-page";

const gtin = "00012345678905";
const store = 1234;
let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openWorkbook("/?show=EVENTS");
});

/** The result that stands beside a function's name, as wide and as high as wanted. */
async function result(name: string, rows = 1, cols = 1): Promise<CellValue[][]> {
  const names = (await workbook.values("Functions", 0, 0, 200, 1)).flat();
  const row = names.indexOf(`INV.${name}`);
  expect(row).toBeGreaterThan(0);
  return workbook.values("Functions", row, 3, rows, cols);
}

async function single(name: string): Promise<CellValue> {
  return (await result(name))[0]?.[0] ?? null;
}

/** As the cell shows it. */
async function shownText(name: string): Promise<CellValue> {
  const names = (await workbook.values("Functions", 0, 0, 200, 1)).flat();
  return (await workbook.texts("Functions", names.indexOf(`INV.${name}`), 3, 1, 1))[0]?.[0] ?? null;
}

const serial = (iso: string) => Date.parse(`${iso}Z`) / 86_400_000 + 25_569;

test("every function of functions.json is on the sheet, its formula as text beside it, and none fails", async () => {
  const file = (await (await fetch(`${origin}/functions.json`)).json()) as { functions: { name: string }[] };
  for (const { name } of file.functions) {
    const [row] = (await workbook.values("Functions", 0, 0, 200, 4)).filter(
      ([first]) => first === `INV.${name}`,
    );
    expect(row?.[2]).toMatch(new RegExp(`^=.*INV\\.${name}\\(`));
    expect(String(row?.[3])).not.toMatch(/^#/);
  }
});

test("quantities, times and status are the service's", async () => {
  const record = await (await askService()).item(store, gtin);
  const shelf = record.inventory_locations.find(
    (one) => one.location_area === "STORE" && one.state === "AVAILABLE",
  );
  expect(await single("QTY")).toBe(Number(shelf?.quantity));
  expect(await single("UPDATED")).toBeCloseTo(serial(record.last_updated_time), 4);
  expect(await shownText("UPDATED")).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d$/);
  expect(await single("STATUS")).toBe(record.data_retrieval_status);
  expect(await single("ASOF")).toBeCloseTo(movedNow() / 86_400_000 + 25_569, 1);
  expect(await single("ENV")).toBe("demo");
});

test("location records and consumer items spill as the service gives them", async () => {
  const record = await (await askService()).item(store, gtin);
  const rows = await result("STOCK", 1 + record.inventory_locations.length, 3);
  expect(rows.slice(1)).toEqual(
    record.inventory_locations.map((one) => [one.location_area, one.state, Number(one.quantity)]),
  );
  const cids = await result("CID", 2, 1);
  expect(cids[1]?.[0]).toBe(record.cid_level_inventories[0]?.cid);
});

test("events spill in order of time, and sums and the latest agree with them", async () => {
  const events = await (await askService()).events(store, gtin);
  const deliveries = events.filter((one) => one.event_type === "LR");
  expect(deliveries.length).toBeGreaterThan(0);
  const listed = await result("EVENTS", deliveries.length + 2, 5);
  expect(listed.map(([, type]) => type)).toEqual(["Event type", ...deliveries.map(() => "LR"), null]);
  const rows = await workbook.values("Item history", 13, 0, events.length + 1, 5);
  expect(rows.slice(1).map(([, type]) => type)).toEqual(
    [...events]
      .sort((a, b) => a.event_creation_time.localeCompare(b.event_creation_time))
      .map((one) => one.event_type),
  );
  const sales = events.filter((one) => one.event_type === "SALES");
  expect(await single("EVENTQTY")).toBe(sales.reduce((sum, one) => sum + Number(one.event_qty), 0));
  const latest = Math.max(...events.map((one) => serial(one.event_creation_time)));
  expect(await single("LASTEVENT")).toBeCloseTo(latest, 4);
  const types = await result("EVENTTYPES", 23, 3);
  expect(types.flat()).toContain("SALES");
});

test("/?show= selects the function's formula and scrolls to it", async () => {
  await eventually(async () => {
    const selected = await workbook.port(
      (port) =>
        new Promise<{ sheet: string; row: number }>((resolve) => {
          port.onSelection(([{ sheet, row }]) => resolve({ sheet, row }));
        }),
      null,
    );
    expect(selected.sheet).toBe("Functions");
    const [[name] = []] = await workbook.values("Functions", selected.row, 0, 1, 1);
    expect(name).toBe("INV.EVENTS");
  });
});

test("a time that has spilled shows as a date in a cell without a format, and as itself in one with a format", async () => {
  await workbook.port(async (port) => {
    const sheet = await port.addSheet("Times");
    await port.format({ sheet, row: 2, col: 3, rows: 1, cols: 1 }, { numberFormat: "0" });
    await port.write({ sheet, row: 0, col: 0, rows: 1, cols: 1 }, [['=INV.STOCK(1234,"00012345678905")']]);
  }, null);
  await workbook.settled();
  await eventually(async () => {
    const [first, second] = (await workbook.texts("Times", 1, 3, 2, 1)).flat();
    expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(second).toMatch(/^\d{5}$/);
  });
  const shown = (await workbook.values("Times", 1, 3, 1, 1)).flat();
  expect(typeof shown[0]).toBe("number");
});
