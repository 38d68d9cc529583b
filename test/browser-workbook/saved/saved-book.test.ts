/** The workbook saved on the device: nobody overwrites another's save, and a book of a newer INV stays unchanged. */
import { IDBFactory } from "fake-indexeddb";
import { createSavedBook } from "../../../src/browser-workbook/saved/saved-book";

const book = (indexedDB: IDBFactory, locks: Parameters<typeof createSavedBook>[0]["locks"] = null) =>
  createSavedBook({ environment: "demo", indexedDB, locks });

function bookOf(sheets: number): {
  readonly id: string;
  readonly sheets: object;
  readonly sheetOrder: string[];
} {
  const ids = Array.from({ length: sheets }, (_, at) => `s${at}`);
  const all = ids.map((id) => [id, { id, name: id, rowCount: 100, cellData: { 0: { 0: { v: 1 } } } }]);
  return { id: "workbook", sheetOrder: ids, sheets: Object.fromEntries(all) as object };
}

/** Locks like the browser's: the first to request a lock gets it. */
function createLocks() {
  const held = new Set<string>();
  const request = async (
    name: string,
    _options: object,
    granted: (lock: object | null) => Promise<unknown>,
  ) => {
    const lock = held.has(name) ? null : {};
    held.add(name);
    return granted(lock);
  };
  return { request } as unknown as Pick<LockManager, "request">;
}

it("returns the latest save", async () => {
  const indexedDB = new IDBFactory();
  const first = book(indexedDB);
  expect(await first.read()).toEqual({ kind: "none" });
  expect(await first.save(bookOf(1))).toBe(true);
  expect(await first.save(bookOf(2))).toBe(true);
  expect(await book(indexedDB).read()).toEqual({ kind: "saved", snapshot: bookOf(2) });
});

it("keeps the last of one tab's overlapping saves", async () => {
  const indexedDB = new IDBFactory();
  const one = book(indexedDB);
  await one.read();
  const overlapping = [1, 2, 3].map((sheets) => one.save(bookOf(sheets)));
  expect(await Promise.all(overlapping)).toEqual([true, true, true]);
  expect(await one.save(bookOf(4))).toBe(true);
  expect(await book(indexedDB).read()).toEqual({ kind: "saved", snapshot: bookOf(4) });
});

it("saves again after a failed save", async () => {
  const indexedDB = new IDBFactory();
  const one = book(indexedDB);
  await one.read();
  const unsavable = { ...bookOf(1), run: () => undefined };
  const [failed, next] = [one.save(unsavable), one.save(bookOf(2))];
  await expect(failed).rejects.toThrow(/could not be cloned/);
  expect(await next).toBe(true);
});

it("leaves data that isn't a workbook as it is, and says so", async () => {
  const indexedDB = new IDBFactory();
  await book(indexedDB).save("not a workbook" as unknown as object);
  const found = book(indexedDB);
  const refused = { kind: "refused", reason: expect.stringMatching(/is damaged/) as string };
  expect(await found.read()).toEqual(refused);
  expect(await book(indexedDB).read()).toEqual(refused);
  await found.clear();
  expect(await book(indexedDB).read()).toEqual({ kind: "none" });
});

it("refuses saves of a second tab", async () => {
  const indexedDB = new IDBFactory();
  const locks = createLocks();
  const first = book(indexedDB, locks);
  const second = book(indexedDB, locks);
  await first.read();
  await second.read();
  expect(await second.save(bookOf(2))).toBe(false);
  expect(await first.save(bookOf(1))).toBe(true);
  expect(await book(indexedDB).read()).toEqual({ kind: "saved", snapshot: bookOf(1) });
});

it("without locks, refuses to overwrite another tab's save", async () => {
  const indexedDB = new IDBFactory();
  const one = book(indexedDB);
  const other = book(indexedDB);
  await one.read();
  await other.read();
  expect(await one.save(bookOf(1))).toBe(true);
  expect(await other.save(bookOf(2))).toBe(false);
  expect(await one.save(bookOf(3))).toBe(true);
  expect(await other.save(bookOf(4))).toBe(false);
});

it("reports a newer INV's workbook and never overwrites it", async () => {
  const indexedDB = new IDBFactory();
  await book(indexedDB).save(bookOf(1));
  await new Promise<void>((resolve) => {
    const request = indexedDB.open("inv-workbook", 1);
    request.onsuccess = () => {
      const store = request.result.transaction("books", "readwrite").objectStore("books");
      store.put({ format: 2, version: 5, snapshot: { new: true } }, "open").onsuccess = () => resolve();
    };
  });
  const older = book(indexedDB);
  expect(await older.read()).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/newer INV/) as string,
  });
  expect(await older.save(bookOf(1))).toBe(false);
});

it("is empty after clearing, and that tab saves no more", async () => {
  const indexedDB = new IDBFactory();
  const one = book(indexedDB);
  await one.save(bookOf(1));
  await one.clear();
  expect(await one.save(bookOf(2))).toBe(false);
  expect(await book(indexedDB).read()).toEqual({ kind: "none" });
});

it("saves one workbook for each first environment, also while both are open", async () => {
  const indexedDB = new IDBFactory();
  const locks = createLocks();
  const bookIn = (environment: string) => createSavedBook({ environment, indexedDB, locks });
  const [demo, own] = [bookIn("demo"), bookIn("file-1")];
  expect(await demo.read()).toEqual({ kind: "none" });
  expect(await own.read()).toEqual({ kind: "none" });
  expect(await demo.save(bookOf(2))).toBe(true);
  expect(await own.save(bookOf(1))).toBe(true);
  expect(await bookIn("demo").read()).toEqual({ kind: "saved", snapshot: bookOf(2) });
  expect(await bookIn("file-1").read()).toEqual({ kind: "saved", snapshot: bookOf(1) });
});

it("says so if the browser's storage can't be read, and never overwrites what it may contain", async () => {
  const indexedDB = new IDBFactory();
  await book(indexedDB).save(bookOf(1));
  let isBlocked = true;
  const open: IDBFactory["open"] = (...given) => {
    if (isBlocked) throw new DOMException("The storage is blocked.", "SecurityError");
    return indexedDB.open(...given);
  };
  const blocked = book({ open } as IDBFactory);
  const reason = expect.stringMatching(/can't be read.*: The storage is blocked/) as string;
  expect(await blocked.read()).toEqual({ kind: "refused", reason });
  isBlocked = false;
  expect(await blocked.save(bookOf(2))).toBe(false);
  expect(await book(indexedDB).read()).toEqual({ kind: "saved", snapshot: bookOf(1) });
});
