/**
 * Where secrets are not: after a sign-in through the browser workbook with a real provider, everything that pages,
 * their storage, the server's log, its figures and its answers hold is searched. And one sign-in serves two workbooks.
 */
import type { BrowserContext, Frame, Page } from "playwright-core";
import type { Workbook } from "../../src/workbook/port";
import { clientSecret } from "../helpers/provider";
import { button, openTab } from "./pane-parts";
import { chooseTrial, logIn, serviceSecret, type SignInBed, startSignInBed } from "./sign-in-bed";
import { eventually } from "./support";
import { openWithScratch, scratch, type WorkbookPage } from "./workbook-page";

let bed: SignInBed;

beforeAll(async () => {
  bed = await startSignInBed();
});
afterAll(async () => {
  await bed.stop();
});

/** What the server sent to pages, with its headers, and to which address. */
function listen(context: BrowserContext): { readonly url: string; readonly text: string }[] {
  const answers: { url: string; text: string }[] = [];
  context.on("response", (response) => {
    if (new URL(response.url()).origin !== bed.inv.origin) return;
    const headers = JSON.stringify(response.headers());
    // A redirect has no body.
    void response
      .text()
      .catch(() => "")
      .then((body) => answers.push({ url: response.url(), text: headers + body }));
  });
  return answers;
}

async function open(): Promise<{ workbook: WorkbookPage; pane: Frame }> {
  const workbook = await openWithScratch(`${bed.inv.origin}/`);
  const pane = workbook.pane();
  await chooseTrial(bed, workbook.page.context(), pane);
  return { workbook, pane };
}

async function signIn(page: Page, pane: Frame): Promise<void> {
  const [window] = await Promise.all([page.waitForEvent("popup"), button(pane, "Sign in at ACME").click()]);
  await logIn(window);
  await pane.getByText("Signed in as Jane Doe").waitFor();
}

async function ask(workbook: WorkbookPage): Promise<void> {
  await workbook.port(async (port, sheet) => {
    const area = { sheet, row: 0, col: 0, rows: 1, cols: 1 };
    await port.write(area, [['=INV.QTY(1234,"00012345678905")']]);
  }, scratch);
  await workbook.until(async () => typeof (await workbook.values(scratch, 0, 0, 1, 1))[0]?.[0] === "number");
}

/** All that script of the page's origin can see or read again, as text: bytes as they are, and keys where they are given out. */
async function heldBy(frame: Page | Frame): Promise<string> {
  return frame.evaluate(async () => {
    const parts: string[] = [document.documentElement.outerHTML, document.cookie, window.name, location.href];
    const shadows = (root: Document | ShadowRoot): void => {
      for (const { shadowRoot } of root.querySelectorAll("*")) {
        if (shadowRoot === null) continue;
        parts.push(shadowRoot.innerHTML);
        shadows(shadowRoot);
      }
    };
    shadows(document);
    for (const field of document.querySelectorAll("input, textarea")) {
      parts.push((field as HTMLInputElement).value);
    }
    parts.push(JSON.stringify(Object.entries(localStorage)), JSON.stringify(Object.entries(sessionStorage)));
    parts.push(JSON.stringify(history.state));
    const asText = async (value: unknown): Promise<string> => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
        return new TextDecoder("latin1").decode(value);
      }
      if (value instanceof CryptoKey) {
        return value.extractable ? JSON.stringify(await crypto.subtle.exportKey("jwk", value)) : "[kept]";
      }
      if (typeof value !== "object" || value === null) return String(value);
      return (
        await Promise.all(Object.entries(value).map(async ([key, each]) => key + (await asText(each))))
      ).join(" ");
    };
    for (const { name: database = "" } of await indexedDB.databases()) {
      const opened = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(database);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(database));
      });
      for (const store of opened.objectStoreNames) {
        const all = await new Promise<unknown>((resolve, reject) => {
          const request = opened.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error(store));
        });
        parts.push(`${database} ${store}: ${await asText(all)}`);
      }
      opened.close();
    }
    for (const cache of await caches.keys()) {
      const held = await caches.open(cache);
      for (const request of await held.keys()) {
        parts.push(request.url, (await (await held.match(request))?.text()) ?? "");
      }
    }
    return parts.join("\n");
  });
}

it("no page, store, log, figure or answer holds the secrets or the service's token, and only memory the session", async () => {
  const { workbook, pane } = await open();
  const { page } = workbook;
  const answers = listen(page.context());
  await signIn(page, pane);
  await ask(workbook);
  await eventually(() => expect(answers.some(({ url }) => url.includes("/search-items"))).toBe(true));
  const { session } = JSON.parse(
    answers.find(({ url }) => url.includes("/sign-in/session/"))!.text.replace(/^\{.*?\}(?=\{)/s, ""),
  ) as { session: string };
  expect(session).toMatch(/^[\w-]{43}$/);

  const fetched = await Promise.all(
    ["metrics", "environments.json", "healthz", "sign-in/back", "relay/trial/token"].map(async (path) => {
      const answer = await fetch(`${bed.inv.origin}/${path}`);
      return `${path}: ${await answer.text()}`;
    }),
  );
  const pages = (await Promise.all(page.frames().map(heldBy))).join("\n");
  const said = [...fetched, bed.inv.output()].join("\n");
  const told = answers.map(({ text }) => text).join("\n");

  // The sign-in's own cookie went with it, and there is no other; the provider's, of the same machine, begin like this.
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  expect(cookies).toContain("_session");
  expect(cookies.filter((name) => !name.startsWith("_"))).toEqual([]);
  // The search finds what is there.
  expect(pages).toContain("Signed in as");
  expect(pages).toContain("[kept]");
  expect(told).toContain(session);
  expect(bed.serviceTokens).toHaveLength(1);
  for (const hidden of [serviceSecret, clientSecret, ...bed.serviceTokens]) {
    for (const held of [pages, said, told]) expect(held.includes(hidden)).toBe(false);
  }
  for (const held of [pages, said]) expect(held.includes(session)).toBe(false);
  // It was told once: to the pane that has exchanged the code.
  expect(told.split(session)).toHaveLength(2);
});

it("one sign-in serves two workbooks, and signing out of one ends it in both", async () => {
  const first = await open();
  await signIn(first.workbook.page, first.pane);
  // The session, and that this workbook may use it, lie on the device: what opens beside it is signed in by itself.
  await first.workbook.until(() =>
    first.pane.evaluate(async () => {
      const isMarked = Object.keys(localStorage).some((key) => key.endsWith("inv.mark"));
      const opened = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open("inv-vault");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error("inv-vault"));
      });
      const ids = await new Promise<readonly IDBValidKey[]>((resolve, reject) => {
        const request = opened.transaction("credentials").objectStore("credentials").getAllKeys();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error("credentials"));
      });
      opened.close();
      return isMarked && ids.includes("trial");
    }),
  );

  const page = await first.workbook.page.context().newPage();
  await page.goto(`${bed.inv.origin}/`);
  await page.locator('body[data-calculating="false"]').waitFor();
  await eventually(() => expect(page.frames().some((frame) => frame.url().includes("taskpane"))).toBe(true));
  const second = page.frames().find((frame) => frame.url().includes("taskpane"))!;
  await openTab(second, "Connect");
  await second.getByText("Signed in as Jane Doe").waitFor();

  const [call] = await Promise.all([
    page.waitForRequest((request) => request.url().includes("/relay/trial/search-items")),
    askInSheet(page, "Second", 4321),
  ]);
  const token = (await call.allHeaders())["authorization"] ?? "";
  const look = () =>
    fetch(`${bed.inv.origin}/relay/trial/search-items`, {
      method: "POST",
      headers: { authorization: token, "content-type": "application/json" },
      body: JSON.stringify({ item_type: "gtin", item_type_values: ["00012345678905"], store_nbr: 1234 }),
    });
  expect((await look()).status).toBe(200);

  await Promise.all([
    first.workbook.page.waitForResponse((response) => response.url().includes("/sign-in/end/trial")),
    button(first.pane, "Sign out").click(),
  ]);
  await button(first.pane, "Sign in at ACME").waitFor();
  const refused = await look();
  expect([refused.status, refused.headers.get("inv-refusal")]).toEqual([401, "token"]);
  // At its next call the other is told.
  await askInSheet(page, "Third", 4322);
  await second.locator(".band-sandbox", { hasText: "Signed out" }).waitFor();
  await button(second, "Sign in at ACME").waitFor();
  expect(await second.getByText("Signed in as Jane Doe").count()).toBe(0);
});

/** On a sheet of its own, since the workbook may be the saved one, and for a store that nothing in it has asked for. */
async function askInSheet(page: Page, sheet: string, store: number): Promise<void> {
  await page.evaluate(
    async ([name, formula]) => {
      const workbook = await (Reflect.get(window, "invHost") as { workbook: Promise<Workbook> }).workbook;
      await workbook.addSheet(name);
      await workbook.write({ sheet: name, row: 0, col: 0, rows: 1, cols: 1 }, [[formula]]);
    },
    [sheet, `=INV.QTY(${store},"00012345678905")`] as const,
  );
}
