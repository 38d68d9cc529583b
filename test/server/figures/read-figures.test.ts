/** Reading a supplier's own CSV files: what becomes of good rows, and what people read about bad ones. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Backend } from "../../../src/embedded-service/backend";
import { readFigures } from "../../../src/server/figures/read-figures";
import { ownFolder } from "../../helpers/own-folder";

const folder = ownFolder();
const nowMs = Date.parse("2026-11-20T12:00:00Z");
const headings = "store_nbr,gtin,wm_item_number,location_area,state,quantity,last_updated_time";
const eventHeadings = "store_nbr,gtin,location_area,event_type,event_qty,event_creation_time,aggregated_qty";
const good = "1234,00012345678905,123456789,STORE,AVAILABLE,17,2026-11-20T05:58:00";
/** A row of another item, with this text in a column. */
const rowWith = (column: string, text: string): string =>
  headings
    .split(",")
    .map((name, place) => {
      const usual = "1234,00012345678912,123456790,STORE,AVAILABLE,17,2026-11-20T05:58:00".split(",")[place];
      return name === column ? JSON.stringify(text).replaceAll("\\u001b", "\u001b") : usual;
    })
    .join(",");
const sale = "1234,00012345678905,STORE,SALES,3,2026-11-20T05:50:00,17";
const supplier = { id: "file", name: "ACME" };

async function read(stock: string, events: string | null = null) {
  const files = {
    stock: folder.write("stock.csv", stock),
    events: events === null ? null : folder.write("events.csv", events),
  };
  return readFigures(files, nowMs);
}

async function refusal(stock: string, events: string | null = null): Promise<string> {
  return read(stock, events).then(
    () => "read",
    (error: unknown) => (error as Error).message,
  );
}

async function backendOf(stock: string, events: string | null = null): Promise<Backend> {
  const { figures } = await read(stock, events);
  return figures.backend(
    { find: () => Promise.resolve(null), checkSecret: () => Promise.resolve(false) },
    () => nowMs,
  );
}

const itemAt = async (backend: Backend, value: string, itemType: "gtin" | "wm_item_number" = "gtin") =>
  (await backend.stock.read({ supplier, storeNumber: 1234, itemType, values: [value] }))[0];

describe("files that are right", () => {
  it.each([
    ["as they are", `${headings}\n${good}\n`],
    ["with a byte order mark and the line ends of Windows", `\uFEFF${headings}\r\n${good}\r\n`],
    [
      "with blank lines, spaces and quotation marks",
      `${headings}\n\n ${good.replace("STORE", '"STORE"')}\n\n`,
    ],
    [
      "with semicolons, as a German Excel writes them",
      `\uFEFF${headings.replaceAll(",", ";")};Notiz\r\n${good.replaceAll(",", ";")};"a, b; c"\r\n`,
    ],
    ["with rows of delimiters alone at the end", `${headings}\n${good}\n,,,,,,\n ,,,,,,\n,,,\n`],
    ["with an inch mark in an ignored column", `note,${headings}\n5" pipe,${good}`],
    [
      "with a comma in an ignored heading",
      `${headings.replaceAll(",", ";")};"Name, long"\n${good.replaceAll(",", ";")};x`,
    ],
    ["with a semicolon in an ignored heading", `"Name; ""long""",${headings}\nx,${good}`],
    ["with other columns, in another order", `note,${headings}\n"a, b\nc",${good}`],
    ["without the GTIN's leading zeros", `${headings}\n${good.replace("00012345678905", "12345678905")}`],
    [
      "with a blank between date and time, without seconds",
      `${headings}\n${good.replace("T05:58:00", " 05:58")}`,
    ],
  ])("are read %s", async (_how, text) => {
    const backend = await backendOf(text);
    for (const item of [
      await itemAt(backend, "00012345678905"),
      await itemAt(backend, "123456789", "wm_item_number"),
    ]) {
      expect(item).toEqual({
        kind: "stock",
        itemNumber: "123456789",
        locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: 17 }],
        consumerItems: [],
        lastUpdatedMs: Date.parse("2026-11-20T05:58:00Z"),
      });
    }
  });

  it("need only a GTIN or an item number in a row", async () => {
    const backend = await backendOf(
      `${headings}\n1234,,123456789,STORE,AVAILABLE,1,2026-11-20T05:58:00\n1234,00012345678912,,STORE,AVAILABLE,-2.5,2026-11-20T05:58:00`,
    );
    expect(await itemAt(backend, "123456789", "wm_item_number")).toMatchObject({
      kind: "stock",
      itemNumber: "123456789",
    });
    expect(await itemAt(backend, "00012345678912")).toMatchObject({
      kind: "stock",
      itemNumber: null,
      locations: [{ quantity: -2.5 }],
    });
    expect(await itemAt(backend, "00012345678929")).toEqual({ kind: "not-mapped" });
  });

  it("give events by time, whatever their order, and none of the future", async () => {
    const rows = ["2026-11-20T05:50:00", "2026-11-19T05:50:00", "2026-11-20T12:00:01"].map((time) =>
      sale.replace("2026-11-20T05:50:00", time),
    );
    const backend = await backendOf(`${headings}\n${good}`, [eventHeadings, ...rows].join("\n"));
    const page = await backend.history.read({
      ...{ supplier, storeNumber: 1234, gtin: "00012345678905", locationArea: "STORE", eventType: null },
      ...{ fromMs: 0, untilMs: Infinity, cursor: null, pageSize: 1 },
    });
    expect(page).toMatchObject({
      kind: "events",
      events: [{ createdAtMs: Date.parse("2026-11-19T05:50:00Z") }],
    });
    const rest = await backend.history.read({
      ...{ supplier, storeNumber: 1234, gtin: "00012345678905", locationArea: "STORE", eventType: null },
      ...{ fromMs: 0, untilMs: Infinity, cursor: "1", pageSize: 50 },
    });
    expect(rest).toMatchObject({
      events: [{ createdAtMs: Date.parse("2026-11-20T05:50:00Z") }],
      nextCursor: null,
    });
  });

  it("warn of wrong check digits and of events older than the window, at each start", async () => {
    const old = sale.replace("2026-11-20T05:50:00", "2026-11-13T23:59:59");
    const first = sale.replace("2026-11-20T05:50:00", "2026-11-14T00:00:00");
    const wrong = rowWith("gtin", "00012345678913");
    const { warnings } = await read(
      `${headings}\n${good}\n${wrong}`,
      [eventHeadings, sale, old, first].join("\n"),
    );
    expect(warnings).toEqual([
      "1 of the files' GTINs have a wrong check digit. INV uses them as they are.",
      "1 of 3 events are older than 2026-11-14. The service answers only for today and the six days before it, so nobody can see them.",
    ]);
    expect((await read(`${headings}\n${good}`, `${eventHeadings}\n${sale}`)).warnings).toEqual([]);
  });
});

it("warns of times more than a day ahead, and of UPC-E codes", async () => {
  const ahead = (row: string, time: string) => row.replace(/2026-11-20T05:5\d:00/, time);
  const upcE = [
    ["04252614", "00012345678906"],
    ["12345670", "123456791"],
  ].map(([gtin = "", number = ""]) => `2345,${gtin},${number},STORE,AVAILABLE,1,2026-11-20T05:58:00`);
  const { warnings } = await read(
    [headings, ahead(good, "2026-11-21T12:00:01"), ...upcE].join("\n"),
    [eventHeadings, sale, ahead(sale, "2027-01-01T00:00:00"), ahead(sale, "2026-11-21T12:00:00")].join("\n"),
  );
  expect(warnings).toEqual([
    "2 of the files' GTINs may be UPC-E codes: eight digits that stand for twelve. INV uses them as they are. " +
      "If the service knows these items by the twelve digits, write those.",
    "2 of the files' times are more than a day ahead of this computer's clock. Check their dates and that they are in UTC.",
  ]);
});

describe("faulty rows", () => {
  it.each([
    ["store_nbr", "1", "must be a store number of 2 to 6 digits"],
    ["gtin", "1.23457E+11", "must be a GTIN"],
    ["gtin", "123456789", "must be a GTIN"],
    ["wm_item_number", "A1", "must be an item number, digits only"],
    ["location_area", "shelf", "must be STORE or BACKROOM"],
    ["state", "", "must be AVAILABLE or NET_AVAILABLE"],
    ["quantity", "1,5", "must be a number with a point before its decimals"],
    ["quantity", "x\u001b[2J", "must be a number with a point before its decimals"],
    ["last_updated_time", "2026-02-30T05:58", "must be a time in UTC"],
    ["last_updated_time", "46346.2", "must be a time in UTC"],
  ])("name file, row and column, and show the value as JSON: %s %j", async (column, shown, words) => {
    const text = await refusal(`${headings}\n\n${good}\n${rowWith(column, shown)}`);
    const [count, line = "", ...rest] = text.split("\n");
    expect(count).toBe("The figures have 1 fault, so INV didn't start:");
    expect(line).toContain(`"stock.csv", row 4, "${column}": ${words}`);
    expect(line.endsWith(`; it is ${JSON.stringify(shown)}`)).toBe(true);
    expect(rest).toEqual([]);
  });

  it("are listed up to 20 and counted in both files", async () => {
    const bad = Array.from({ length: 30 }, () => good.replace("1234,", "1,"));
    const text = await refusal(
      [headings, ...bad].join("\n"),
      `${eventHeadings}\n${sale.replace("STORE", "x")}`,
    );
    expect(text.split("\n")).toHaveLength(22);
    expect(text).toContain("The figures have 31 faults, so INV didn't start:");
    expect(text).toContain("and 11 more.");
  });

  it.each([
    ["the same record twice", good, "repeats the store, item, location_area and state of an earlier row"],
    [
      "an item number of another GTIN",
      good.replace("00012345678905", "00012345678912"),
      "gives an item another gtin or wm_item_number than an earlier row",
    ],
    ["no item", good.replace("00012345678905,123456789", ","), "names no item"],
  ])("are also those with %s", async (_what, row, words) => {
    expect(await refusal(`${headings}\n${good}\n${row}`)).toContain(`"stock.csv", row 3, ${words}`);
  });

  it("are those with a decimal comma, between semicolons too", async () => {
    const german = `${headings}\n${good.replace(",17,", ",SEVENTEEN,")}`.replaceAll(",", ";");
    expect(await refusal(german.replace("SEVENTEEN", "1,5"))).toContain(
      '"stock.csv", row 2, "quantity": must be a number with a point before its decimals, such as 1234.5; it is "1,5"',
    );
  });

  it("advise the file's own column for nine digits", async () => {
    const text = await refusal(`${headings}\n${rowWith("gtin", "123456789")}`);
    expect(text).toContain("write it into the column wm_item_number");
    expect(text).not.toContain("item_type");
  });

  it("stop the start although all others are right", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => good.replace("1234,", `${1000 + index},`));
    expect(await refusal([headings, ...rows, good.replace("17", "many")].join("\n"))).toContain("row 502");
  });
});

describe("other files", () => {
  it.each([
    [
      "with commas and semicolons",
      `${headings.replace(",", ";")}\n${good.replace(",", ";")}`,
      "its headings are separated by commas and by semicolons",
    ],
    [
      "with semicolons between the headings alone",
      `${headings.replaceAll(",", ";")}\n${good}`,
      "CSV UTF-8, with commas or semicolons between the columns.",
    ],
    ["without a heading", `${headings.replace(",state", "")}\n${good}`, "see state"],
    ["with a heading twice", `${headings},state\n${good},AVAILABLE`, "see state"],
    [
      "with a row of another length",
      `${headings}\n${good},1`,
      "row 2 has 8 columns, but there are 7 headings",
    ],
    [
      "with a quotation mark that is never closed",
      `${headings}\n"${good}\n${"x".repeat(200_000)}`,
      "can't be read",
    ],
  ])("are refused with what to do: %s", async (_how, text, words) => {
    const message = await refusal(text);
    expect(message).toContain(words);
    expect(message).toContain("Save it as CSV UTF-8, with commas or semicolons between the columns.");
  });

  it.each([
    ["Latin-1", Buffer.from(`${headings},note\n${good},caf\xe9`, "latin1")],
    ["UTF-16", Buffer.from(`\uFEFF${headings}\n${good}`, "utf16le")],
    ["a workbook", Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0, 1])],
  ])("are refused if they are %s", async (_what, bytes) => {
    const stock = join(folder.path, "bytes.csv");
    writeFileSync(stock, bytes);
    await expect(readFigures({ stock, events: null }, nowMs)).rejects.toThrow("Save it as CSV UTF-8");
  });

  it("are refused if they are missing, a folder, or without rows", async () => {
    mkdirSync(join(folder.path, "folder.csv"));
    for (const name of ["folder.csv", "missing.csv"]) {
      const stock = join(folder.path, name);
      await expect(readFigures({ stock, events: null }, nowMs)).rejects.toThrow("can't be read");
    }
    expect(await refusal(headings)).toContain("contains no rows");
  });
});
