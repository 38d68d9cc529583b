/** Everything that scripts of a page's origin can see or read again, as text that tests search for secrets. */
import type { Frame, Page } from "playwright-core";

/**
 * The content of all stores: bytes as they are, and cryptographic keys if they are extractable. `DATABASE STORE: KEYS`
 * comes before the content of each database store.
 */
export function storedBy(frame: Page | Frame): Promise<string> {
  return frame.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    const asText = async (value: unknown): Promise<string> => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
        return new TextDecoder("latin1").decode(value);
      }
      if (value instanceof CryptoKey) {
        return value.extractable ? JSON.stringify(await crypto.subtle.exportKey("jwk", value)) : "[kept]";
      }
      if (typeof value !== "object" || value === null) return String(value);
      const parts = Object.entries(value).map(async ([key, each]) => `${key} ${await asText(each)}`);
      return (await Promise.all(parts)).join(" ");
    };
    const stored = [
      document.cookie,
      ...[localStorage, sessionStorage].map((each) => JSON.stringify(Object.entries(each))),
    ];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = () => database.transaction(store).objectStore(store);
        const keys = (await finished(objects().getAllKeys())).map(String).join(" ");
        stored.push(`${name} ${store}: ${keys}`, await asText(await finished(objects().getAll())));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        stored.push(request.url, (await (await cache.match(request))?.text()) ?? "");
      }
    }
    return stored.join("\n");
  });
}

/** Everything that the page shows, including shadow trees and fields, and the name, address and history of its window. */
export function shownBy(frame: Page | Frame): Promise<string> {
  return frame.evaluate(() => {
    const shown = [
      document.documentElement.outerHTML,
      window.name,
      location.href,
      JSON.stringify(history.state),
    ];
    const look = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll("*")) {
        if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
          shown.push(element.value);
        }
        if (element.shadowRoot === null) continue;
        shown.push(element.shadowRoot.innerHTML);
        look(element.shadowRoot);
      }
    };
    look(document);
    return shown.join("\n");
  });
}
