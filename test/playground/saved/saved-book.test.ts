/** The workbook saved on the device: nobody overwrites what another has saved, and a newer INV's is left alone. */
import { IDBFactory } from "fake-indexeddb";
import { createSavedBook } from "../../../src/playground/saved/saved-book";

const book = (indexedDB: IDBFactory, locks: Parameters<typeof createSavedBook>[0]["locks"] = null) =>
  createSavedBook({ indexedDB, locks });

/** As the browser's: the first to ask holds it. */
function createLocks() {
  let isHeld = false;
  const request = async (
    _name: string,
    _options: object,
    granted: (lock: object | null) => Promise<unknown>,
  ) => {
    const lock = isHeld ? null : {};
    isHeld = true;
    return granted(lock);
  };
  return { request } as unknown as Pick<LockManager, "request">;
}

it("gives back what was saved last", async () => {
  const indexedDB = new IDBFactory();
  const first = book(indexedDB);
  expect(await first.read()).toEqual({ kind: "none" });
  expect(await first.save({ sheets: 1 })).toBe(true);
  expect(await first.save({ sheets: 2 })).toBe(true);
  expect(await book(indexedDB).read()).toEqual({ kind: "saved", snapshot: { sheets: 2 } });
});

it("a second tab does not save while the first has the workbook", async () => {
  const indexedDB = new IDBFactory();
  const locks = createLocks();
  const first = book(indexedDB, locks);
  const second = book(indexedDB, locks);
  await first.read();
  await second.read();
  expect(await second.save({ of: "second" })).toBe(false);
  expect(await first.save({ of: "first" })).toBe(true);
  expect(await book(indexedDB).read()).toEqual({ kind: "saved", snapshot: { of: "first" } });
});

it("without locks nobody overwrites what another has saved since", async () => {
  const indexedDB = new IDBFactory();
  const one = book(indexedDB);
  const other = book(indexedDB);
  await one.read();
  await other.read();
  expect(await one.save({ of: "one" })).toBe(true);
  expect(await other.save({ of: "other" })).toBe(false);
  expect(await one.save({ of: "one again" })).toBe(true);
  expect(await other.save({ of: "other again" })).toBe(false);
});

it("what a newer INV saved is told and never overwritten", async () => {
  const indexedDB = new IDBFactory();
  await book(indexedDB).save({ sheets: 1 });
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
  expect(await older.save({ sheets: 1 })).toBe(false);
});

it("is empty after it was cleared, and the tab that cleared it saves no more", async () => {
  const indexedDB = new IDBFactory();
  const one = book(indexedDB);
  await one.save({ sheets: 1 });
  await one.clear();
  expect(await one.save({ sheets: 2 })).toBe(false);
  expect(await book(indexedDB).read()).toEqual({ kind: "none" });
});
