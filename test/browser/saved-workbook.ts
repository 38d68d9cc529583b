/** What the browser workbook has saved on this device, read past it. */
import type { Page } from "playwright-core";
import { origin } from "./support";

/** What is saved on the device. */
export function saved(page: Page): Promise<{ version: number; snapshot: object } | null> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open("inv-workbook", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("books");
        request.onsuccess = () => {
          const get = request.result.transaction("books").objectStore("books").get("open");
          get.onsuccess = () => {
            request.result.close();
            resolve((get.result ?? null) as { version: number; snapshot: object } | null);
          };
        };
      }),
  );
}

/** Puts a book in the place of what is saved, from a page that saves nothing itself. */
export async function putSaved(page: Page, book: unknown): Promise<void> {
  await page.goto(`${origin}/environments.json`);
  await page.evaluate(
    (given) =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open("inv-workbook", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("books");
        request.onsuccess = () => {
          const books = request.result.transaction("books", "readwrite").objectStore("books");
          books.put(given, "open").onsuccess = () => {
            request.result.close();
            resolve();
          };
        };
      }),
    book,
  );
}

export const isSaved = (page: Page, text: string) => async () =>
  JSON.stringify(await saved(page)).includes(text);
