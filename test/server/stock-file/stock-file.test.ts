/** A served stock file: replaced, removed and damaged while it is open, and what is refused at the start. */
import { rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { followStockFile } from "../../../src/server/stock-file/follow-stock-file";
import { loadSqlite } from "../../../src/server/stock-file/libsql";
import { openStockFile } from "../../../src/server/stock-file/open-stock-file";
import { supplierId } from "../../../src/embedded-service/imported/stock-tables";
import { createImportBed, type ImportBed } from "../../helpers/imported";

let bed: ImportBed;
beforeEach(() => (bed = createImportBed()));
afterEach(() => bed.end());

const gtin = "00012345678905";
const query = {
  supplier: { id: supplierId, name: "ACME" },
  storeNumber: 1234,
  itemType: "gtin",
  values: [gtin],
} as const;

async function importCount(count: number): Promise<string> {
  bed.write("inventory.csv", `store,gtin,quantity,last_updated\n1234,${gtin},${count},2026-11-20\n`);
  await bed.run();
  return bed.path("stock.db");
}

async function follow(path: string) {
  const told: string[] = [];
  const time = { nowMs: 0 };
  const file = await followStockFile({
    path,
    now: () => 0,
    steadyNow: () => time.nowMs,
    tell: (line) => told.push(line),
  });
  const count = async () => {
    const answer = await file.backend.stock.read(query);
    const [item] = answer;
    return item?.kind === "stock" ? item.locations[0]?.quantity : item?.kind;
  };
  return { file, told, time, count };
}

it("serves a replaced file some seconds later, and reports it once", async () => {
  const { file, told, time, count } = await follow(await importCount(1));
  await importCount(2);
  expect(await count()).toBe(1);
  time.nowMs += 2_000;
  expect(await Promise.all([count(), count(), count()])).toEqual([2, 2, 2]);
  time.nowMs += 2_000;
  expect(await count()).toBe(2);
  expect(told).toEqual([expect.stringContaining("was replaced")]);
  expect((await file.list()).stores).toEqual([1234]);
  file.close();
});

it("keeps its figures when the new file is damaged or gone, and serves the next good one", async () => {
  const path = await importCount(1);
  const { file, told, time, count } = await follow(path);
  rmSync(path);
  time.nowMs += 2_000;
  expect(await count()).toBe(1);
  writeFileSync(path, "half an import");
  time.nowMs += 2_000;
  expect(await count()).toBe(1);
  time.nowMs += 2_000;
  expect(await count()).toBe(1);
  expect(told).toEqual([expect.stringMatching(/damaged.*still uses the previous figures/)]);
  rmSync(path);
  await importCount(3);
  time.nowMs += 2_000;
  expect(await count()).toBe(3);
  file.close();
});

it("can be read by several processes, and written by none", async () => {
  const path = await importCount(1);
  const before = statSync(path).mtimeMs;
  const files = await Promise.all([openStockFile(path), openStockFile(path)]);
  for (const { database } of files) {
    expect(database.prepare("SELECT COUNT(*) FROM stock").all()).toEqual([[1]]);
    expect(() => database.prepare("DELETE FROM stock RETURNING 1").all()).toThrow(/readonly/);
  }
  for (const { close } of files) close();
  expect(statSync(path).mtimeMs).toBe(before);
});

it.each<[string, (path: string) => unknown, RegExp]>([
  ["missing", (path) => rmSync(path), /does not exist. Make it with: npm run service:import/],
  [
    "a text",
    (path) => writeFileSync(path, "no database at all".repeat(100)),
    /damaged or is not a stock file/,
  ],
  ["empty", (path) => truncateSync(path, 0), /is not a stock file of INV/],
  ["cut off", (path) => truncateSync(path, 8192), /damaged or is not a stock file/],
  [
    "one whose rows never end",
    (path) =>
      change(
        path,
        `DROP TABLE events; CREATE VIEW events AS WITH RECURSIVE n(at_ms) AS (SELECT 1 UNION ALL SELECT at_ms + 1 FROM n) SELECT at_ms FROM n`,
      ),
    /damaged or is not a stock file/,
  ],
  ["of a newer INV", (path) => change(path, "PRAGMA user_version = 99"), /another version of INV/],
  ["another program's", (path) => change(path, "PRAGMA application_id = 7"), /is not a stock file of INV/],
])("a file that is %s is refused in one sentence", async (_title, spoil, words) => {
  const path = await importCount(1);
  await spoil(path);
  await expect(openStockFile(path)).rejects.toThrow(words);
  await expect(openStockFile(path)).rejects.toThrow(/^[^\n]{10,300}$/);
});

async function change(path: string, sql: string): Promise<void> {
  const Database = await loadSqlite();
  const database = new Database(path);
  database.exec(sql);
  database.close();
  utimesSync(path, 1, 1);
}
