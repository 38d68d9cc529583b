/** Reads and replaces what the browser workbook has saved on this device, bypassing the workbook. */
import type { Page } from "playwright-core";

/** Runs a request on the store of books. Resolves after the transaction is stored: a page that leaves earlier may lose it. */
function inStore<T, G>(page: Page, ask: (books: IDBObjectStore, given: G) => IDBRequest<T>, given: G) {
  const run = `new Promise((resolve) => {
    const request = indexedDB.open("inv-workbook", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("books");
    request.onsuccess = () => {
      const work = request.result.transaction("books", "readwrite");
      const asked = (${ask.toString()})(work.objectStore("books"), ${JSON.stringify(given)});
      work.oncomplete = () => {
        request.result.close();
        resolve(asked.result ?? null);
      };
    };
  })`;
  return page.evaluate<T | null>(run);
}

export function saved(page: Page): Promise<{ version: number; snapshot: object } | null> {
  return inStore(
    page,
    (books) => books.get("open") as IDBRequest<{ version: number; snapshot: object }>,
    null,
  );
}

/** @param key of the environment's workbook; `open` is that of the demo */
export async function putSaved(page: Page, book: unknown, key = "open"): Promise<void> {
  await inStore(page, (books, given) => books.put(given.book, given.key), { book, key });
}

/** A saved book with one empty sheet, plus these changes. */
export const bookOf = (changes: object) => ({
  format: 1,
  version: 3,
  snapshot: {
    id: "workbook",
    sheetOrder: ["one"],
    sheets: { one: { id: "one", name: "Mine", rowCount: 20, columnCount: 5, ...changes } },
  },
});

export const isSaved = (page: Page, text: string) => async () =>
  JSON.stringify(await saved(page)).includes(text);
