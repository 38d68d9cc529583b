/** Exports become a stock file: what is read, what is refused with which message, and what an import leaves alone. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { digestOfSecret } from "../../../src/embedded-service/imported/stock-tables";
import { openStockFile } from "../../../src/server/stock-file/open-stock-file";
import { createImportBed, type ImportBed } from "../../helpers/imported";

let bed: ImportBed;
beforeEach(() => (bed = createImportBed()));
afterEach(() => bed.end());

const good = [
  "store,gtin,quantity,last_updated",
  "1234,12345678905,7,2026-11-20T05:58",
  "1234,00012345678912,0,2026-11-20",
].join("\n");

async function tables(path = bed.path("stock.db")) {
  const { database, close } = await openStockFile(path);
  const rows = (sql: string) => database.prepare(sql).all();
  const found = {
    supplier: rows("SELECT * FROM supplier"),
    stores: rows("SELECT * FROM stores ORDER BY 1"),
    items: rows("SELECT gtin, item_number, cid FROM items ORDER BY 1, 2"),
    stock: rows(
      "SELECT store, gtin, item_number, location_area, state, quantity, updated_ms FROM stock" +
        " JOIN items USING (item) ORDER BY 1, 2, 3, 4, 5",
    ),
    events: rows(
      "SELECT store, gtin, location_area, at_ms, event_type, quantity, quantity_after FROM events" +
        " JOIN items USING (item) ORDER BY store, gtin, location_area, at_ms, place",
    ),
  };
  close();
  return found;
}

const noon = Date.parse("2026-11-20T12:00:00Z");

it("doesn't wait for a pipe that nobody writes to", async () => {
  execFileSync("/usr/bin/mkfifo", [bed.path("inventory.csv")]);
  await expect(bed.run()).rejects.toThrow(/inventory.csv is not a file/);
});

describe("reading an export", () => {
  it("reads stock with its defaults, and restores lost leading zeros", async () => {
    bed.write("inventory.csv", good);
    const outcome = await bed.run();
    expect(outcome).toMatchObject({ written: true, counts: { inventory: 2, events: 0, stores: 1 } });
    expect((await tables()).stock).toEqual([
      [1234, "00012345678905", null, "STORE", "AVAILABLE", 7, Date.parse("2026-11-20T05:58Z")],
      [1234, "00012345678912", null, "STORE", "AVAILABLE", 0, Date.parse("2026-11-20T00:00Z")],
    ]);
  });

  it.each([";", "\t", ","])(
    "finds the delimiter %j by the headings, not by how often it stands there",
    async (mark) => {
      const note = ";,\t".replaceAll(mark, "").repeat(30);
      const headings = ["Store Nbr", "UPC", "Qty", "As of", note].join(mark);
      bed.write(
        "inventory.csv",
        `${headings}\r\n${["1234", "12345678905", '"3,5"', "20.11.2026 12:00", ""].join(mark)}`,
      );
      const map = new Map(
        Object.entries({ store: "store_nbr", gtin: "upc", quantity: "QTY", last_updated: "As of" }),
      );
      const outcome = await bed.run({ map, rules: { times: "dmy", decimal: "comma", asOfMs: null } });
      expect(outcome).toMatchObject({ written: true, ignored: [note] });
      expect((await tables()).stock[0]?.slice(5)).toEqual([3.5, noon]);
    },
  );

  it.each(["sep=;", '"sep=|"', "SEP=\t"])("reads the delimiter in a first line %j", async (line) => {
    const rows = `${good}\n1234,bad,1,2026-11-20`.replaceAll(",", /=(.)/.exec(line)![1]!);
    bed.write("inventory.csv", `\uFEFF${line}\r\n${rows}`);
    const { counts, faults } = await bed.run({ skipBad: true });
    expect(counts.inventory).toBe(2);
    expect(faults.report()[1]).toContain("inventory, line 5: gtin: expected");
  });

  it("reads quoted line breaks, and an inch mark inside a text, and counts lines as an editor does", async () => {
    bed.write(
      "inventory.csv",
      'note,store,gtin,quantity,last_updated\r\n"two\r\nlines ""and"" more",1234,12345678905,1,2026-11-20\r\n12" pan,1235,12345678905,2,2026-11-20\r\n\r\nx,bad,12345678905,2,2026-11-20\r\n',
    );
    const { faults } = await bed.run({ skipBad: true });
    expect((await tables()).stock.map(([store]) => store)).toEqual([1234, 1235]);
    expect(faults.report()[1]).toContain("inventory, line 6: store: expected");
  });

  const accented = "Größe;store;gtin;quantity;last_updated\n5;1234;12345678905;1;2026-11-20\n";
  it.each([
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${accented}`, "utf8"), null],
    ["UTF-16 little endian with a mark", Buffer.from(`\uFEFF${accented}`, "utf16le"), null],
    ["UTF-16 big endian with a mark", Buffer.from(`\uFEFF${accented}`, "utf16le").swap16(), null],
    ["UTF-16 named", Buffer.from(accented, "utf16le"), "utf-16le"],
    ["Windows-1252 named", Buffer.from(accented, "latin1"), "windows-1252"],
  ] as const)("reads %s", async (_title, bytes, encoding) => {
    bed.write("inventory.csv", bytes);
    expect((await bed.run({ encoding })).ignored).toEqual(["Größe"]);
  });

  it.each([
    ["Windows-1252", Buffer.from(accented, "latin1")],
    ["UTF-16", Buffer.from(accented, "utf16le")],
  ])("refuses %s that nobody named, with what to name", async (_title, bytes) => {
    bed.write("inventory.csv", bytes);
    await expect(bed.run()).rejects.toThrow(/cannot be read as text.*--encoding/);
  });

  it("combines the rows of an item, and keeps events of one second in the export's order", async () => {
    bed.write(
      "inventory.csv",
      "store,gtin,item_number,cid,quantity,last_updated\n" +
        "1234,12345678905,,,1,2026-11-20\n1235,12345678905,123456789,77,2,2026-11-20\n1236,,123456789,,3,2026-11-20\n",
    );
    bed.write(
      "events.csv",
      "store,gtin,time,event_type,quantity,quantity_after\n" +
        "1234,12345678905,2026-11-20 12:00:00,sales,1,9\n1234,12345678905,2026-11-20 12:00:00,SALES,2,7\n",
    );
    expect(await bed.run()).toMatchObject({ counts: { inventory: 3, events: 2, stores: 3 }, latestMs: noon });
    const { items, stock, events } = await tables();
    expect(items).toEqual([["00012345678905", "123456789", 77]]);
    expect(stock).toHaveLength(3);
    expect(events.map((event) => event.slice(3))).toEqual([
      [noon, "SALES", 1, 9],
      [noon, "SALES", 2, 7],
    ]);
  });

  it("maps a heading for both files, unless one has the column's own name", async () => {
    bed.write("inventory.csv", "Location,gtin,quantity\n1234,12345678905,1\n");
    bed.write("events.csv", "store,gtin,time,event_type,quantity,quantity_after\n");
    const rules = { times: "iso", decimal: "point", asOfMs: noon } as const;
    expect(await bed.run({ map: new Map([["store", "Location"]]), rules })).toMatchObject({ written: true });
    expect((await tables()).stock[0]?.at(-1)).toBe(noon);
  });
});

it.each([
  ["location_area", "Aera", /inventory file has no column "Aera", which --map names; it has "store"/],
  ["quantity", "On Hnad", /has no column "On Hnad"/],
])("refuses a mapped heading for %s that the file doesn't have", async (column, heading, words) => {
  bed.write("inventory.csv", good);
  await expect(bed.run({ map: new Map([[column, heading]]) })).rejects.toThrow(words);
});

it("names the last line before a quote without an end in a long file", async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `1234,${10_000_000_000 + n},1,2026-11-20`);
  bed.write("inventory.csv", ["store,gtin,quantity,last_updated", ...rows, '1234,"1', ...rows].join("\n"));
  await expect(bed.run()).rejects.toThrow(/after line 3001 is never closed/);
});

describe("refusing an export", () => {
  it.each([
    [
      "a missing column",
      "store,gtin,last_updated\n",
      /no column "quantity"; it has "store", "gtin", "last_updated".*--map/,
    ],
    [
      "no column of items",
      "store,quantity,last_updated\n1234,1,2026-11-20\n",
      /neither a column "gtin" nor "item_number"; it has "store", "quantity", "last_updated".*--map/,
    ],
    ["a heading twice", "store,store,gtin,quantity,last_updated\n", /"store" more than once/],
    ["no time at all", "store,gtin,quantity\n1234,12345678905,1\n", /"last_updated".*--as-of/],
    ["an empty file", "", /is empty/],
    ["only bad rows", "store,gtin,quantity,last_updated\nx,y,z,w\n", /no row that can be imported/],
    [
      "a quote without an end",
      `${good}\n1234,"12345678905,1,2026-11-20\n${"x,".repeat(50)}`,
      /quote.*after line 3 is never closed/,
    ],
  ])("%s, in one sentence", async (_title, content, words) => {
    bed.write("inventory.csv", content);
    await expect(bed.run({ skipBad: true })).rejects.toThrow(words);
    expect(existsSync(bed.path("stock.db"))).toBe(false);
  });

  it.each([
    ["1234,12345678905,1,2026-11-20,1", "5 fields where the headings are 4"],
    [",12345678905,1,2026-11-20", "store is blank"],
    ["1,12345678905,1,2026-11-20", "store: expected a store number"],
    ["1234,,1,2026-11-20", "names no item"],
    ["1234,123456789,1,2026-11-20", "gtin: expected a GTIN"],
    ["1234,12345678905,1.234.5,2026-11-20", "quantity: expected"],
    ['1234,12345678905,"1,5",2026-11-20', "quantity: expected"],
    ["1234,12345678905,1e3,2026-11-20", "quantity: expected"],
    ["1234,12345678905,1,20.11.2026", "last_updated: expected 2026-11-20"],
    ["1234,12345678905,1,", "--as-of"],
    ["1234,12345678905,9,2026-11-20T05:58", "the same store, item"],
  ])("a row such as %s", async (row, words) => {
    bed.write("inventory.csv", `${good}\n${row}\n`);
    const { written, faults } = await bed.run();
    expect(written).toBe(false);
    expect(faults.report()[1]).toContain(`inventory, line 4: `);
    expect(faults.report()[1]).toContain(words);
    expect(existsSync(bed.path("stock.db"))).toBe(false);
  });

  it("refuses rows that contradict an earlier row of the item", async () => {
    bed.write(
      "inventory.csv",
      "store,gtin,item_number,quantity,last_updated\n1234,12345678905,111111111,1,2026-11-20\n" +
        "1235,12345678905,222222222,1,2026-11-20\n1236,12345678912,111111111,1,2026-11-20\n",
    );
    expect((await bed.run()).faults.report().slice(1, 3)).toEqual([
      expect.stringContaining("line 3: gtin, item_number and cid contradict"),
      expect.stringContaining("line 4: gtin, item_number and cid contradict"),
    ]);
  });

  it("lists the first hundred bad rows and counts by reason; --skip-bad imports the others", async () => {
    const bad = Array.from({ length: 150 }, (_each, index) => `x${index},12345678905,1,2026-11-20`);
    bed.write("inventory.csv", [good, ...bad, "1236,12345678905,?,2026-11-20"].join("\n"));
    const { written, faults, counts } = await bed.run({ skipBad: true });
    expect({ written, counts }).toMatchObject({ written: true, counts: { inventory: 2 } });
    const report = faults.report();
    expect(report[0]).toBe("151 rows can't be imported:");
    expect(report.filter((line) => line.startsWith("  inventory, line"))).toHaveLength(100);
    expect(report.slice(-4)).toEqual([
      "  and 51 more",
      "By reason:",
      expect.stringMatching(/^ {2}150 x inventory: store: expected/),
      expect.stringMatching(/^ {2}1 x inventory: quantity: expected/),
    ]);
  });
});

describe("the existing file", () => {
  it("isn't replaced by exports with fewer than half of its rows, unless allowed", async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => `${1000 + index},12345678905,7,2026-11-20`);
    const inventory = (count: number) =>
      bed.write("inventory.csv", ["store,gtin,quantity,last_updated", ...rows(count)].join("\n"));
    inventory(4);
    await bed.run();
    inventory(2);
    expect((await bed.run()).counts.inventory).toBe(2);
    inventory(4);
    await bed.run();
    inventory(1);
    await expect(bed.run()).rejects.toThrow(
      /has 4 rows of inventory, and the new exports have 1\. .*--allow-shrink/,
    );
    expect((await tables()).stock).toHaveLength(4);
    expect((await bed.run({ allowShrink: true })).counts.inventory).toBe(1);
  });

  it("is replaced: two imports give equal contents, and the supplier's credentials stay", async () => {
    bed.write("inventory.csv", good);
    const first = await bed.run();
    const before = await tables();
    const second = await bed.run();
    expect(await tables()).toEqual(before);
    expect(first.credentials.clientSecret).toMatch(/^[\w-]{43}$/);
    expect(await digestOfSecret(first.credentials.clientSecret!)).toBe(before.supplier[0]?.[2]);
    expect(second.credentials).toMatchObject({
      consumerId: first.credentials.consumerId,
      clientSecret: null,
    });
    expect(readFileSync(bed.path("stock.db")).includes(first.credentials.clientSecret!)).toBe(false);
    const other = await bed.run({ supplier: "Other" });
    expect(other.credentials.clientSecret).not.toBeNull();
    expect(other.credentials.consumerId).not.toBe(first.credentials.consumerId);
  });

  it("stays unchanged if rows are bad, and no other file remains", async () => {
    bed.write("inventory.csv", good);
    await bed.run();
    const before = readFileSync(bed.path("stock.db"));
    bed.write("inventory.csv", `${good}\nbad,row,1,2\n`);
    expect((await bed.run()).written).toBe(false);
    expect(readFileSync(bed.path("stock.db")).equals(before)).toBe(true);
    expect(readdirSync(dirname(bed.path("x"))).sort()).toEqual(["inventory.csv", "stock.db"]);
  });

  it("isn't replaced if it isn't a stock file", async () => {
    bed.write("inventory.csv", good);
    bed.write("stock.db", "my thesis");
    await expect(bed.run()).rejects.toThrow(/damaged or is not a stock file of INV/);
    expect(readFileSync(bed.path("stock.db"), "utf8")).toBe("my thesis");
  });

  it("loses a killed import's leftovers, but not a file that another import is writing", async () => {
    bed.write("inventory.csv", good);
    bed.write(`stock.db.new-${process.pid + 4_000_000}`, "half");
    bed.write(`stock.db.new-${process.ppid}`, "another's");
    await bed.run();
    expect(readdirSync(dirname(bed.path("x"))).sort()).toEqual(
      ["inventory.csv", "stock.db", `stock.db.new-${process.ppid}`].sort(),
    );
  });
});
