/**
 * Checks where secrets are not. After a sign-in through the browser workbook with a real provider, it searches the pages,
 * their storage, and the server's log, metrics and responses. It also checks that one sign-in serves two workbooks.
 */
import type { BrowserContext, Page } from "playwright-core";
import type { Workbook } from "../../src/workbook/port";
import { clientSecret } from "../helpers/provider";
import { shownBy, storedBy } from "./kept";
import { button, openTab } from "./pane-parts";
import {
  openSignedOut,
  serviceSecret,
  type SignInBed,
  type SignInWorkbook,
  signInButton,
  startSignInBed,
} from "./sign-in-bed";
import { eventually } from "./support";
import { scratch } from "./workbook-page";

let bed: SignInBed;
let workbook: SignInWorkbook;

beforeAll(async () => {
  bed = await startSignInBed();
  workbook = await openSignedOut(bed);
});
afterAll(async () => {
  await bed.stop();
});

/** Records the responses to pages, with headers and address. */
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

it("no page, storage, log, metric or response contains the secrets or the service's token; only memory contains the session", async () => {
  const { page } = workbook;
  const answers = listen(page.context());
  await workbook.signIn();
  await workbook.ask(0, 1234);
  await workbook.filled(scratch, 0, 0);
  // Bodies arrive in any order.
  for (const path of ["/search-items", "/sign-in/session/"]) {
    await eventually(() => expect(answers.some(({ url }) => url.includes(path))).toBe(true));
  }
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
  const held = await Promise.all(page.frames().flatMap((frame) => [shownBy(frame), storedBy(frame)]));
  const pages = held.join("\n");
  const logged = [...fetched, bed.inv.output()].join("\n");
  const answered = answers.map(({ text }) => text).join("\n");

  // Only the sign-in's own cookie remains, a random value for ten minutes. The provider's, from the same machine, begin with "_".
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  expect(cookies).toContain("_session");
  expect(cookies.filter((name) => !/^_(?!_Host)/.test(name))).toEqual([
    expect.stringMatching(/^__Host-inv-sign-in-/),
  ]);
  // These show that the search finds what is there.
  expect(pages).toContain("Signed in as");
  expect(pages).toContain("[kept]");
  expect(answered).toContain(session);
  expect(bed.serviceTokens).toHaveLength(1);
  for (const hidden of [serviceSecret, clientSecret, ...bed.serviceTokens]) {
    for (const text of [pages, logged, answered]) expect(text.includes(hidden)).toBe(false);
  }
  for (const text of [pages, logged]) expect(text.includes(session)).toBe(false);
  // The server sent the session once, to the pane that exchanged the code.
  expect(answered.split(session)).toHaveLength(2);

  await button(workbook.paneFrame, "Sign out").click();
  await signInButton(workbook.paneFrame).waitFor();
});

it("one sign-in serves two workbooks, and signing out of one ends it in both", async () => {
  const first = workbook;
  await first.paneFrame.getByText("For all my workbooks on this device").click();
  await first.signIn();
  // The device stores the session and this workbook's permission, so another workbook is signed in automatically.
  await eventually(async () => {
    const stored = await storedBy(first.paneFrame);
    expect(stored).toContain("inv-vault credentials: trial");
    expect(stored).toContain("inv.mark");
  });

  const page = await first.page.context().newPage();
  await page.goto(`${bed.inv.origin}/`);
  await page.locator('body[data-calculating="false"]').waitFor();
  await eventually(() =>
    expect(page.frames().some((frame) => frame.url().includes("workbook-pane"))).toBe(true),
  );
  const second = page.frames().find((frame) => frame.url().includes("workbook-pane"))!;
  await openTab(second, "Settings");
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
    first.page.waitForResponse((response) => response.url().includes("/sign-in/end/trial")),
    button(first.paneFrame, "Sign out").click(),
  ]);
  await signInButton(first.paneFrame).waitFor();
  const refused = await look();
  expect([refused.status, refused.headers.get("inv-refusal")]).toEqual([401, "token"]);
  // The other workbook learns it at its next request.
  await askInSheet(page, "Third", 4322);
  await second.locator(".header-sandbox", { hasText: "Signed out" }).waitFor();
  await signInButton(second).waitFor();
  expect(await second.getByText("Signed in as Jane Doe").count()).toBe(0);
});

/** Uses a new sheet, because the workbook may be the saved one, and a store that no other cell of it requests. */
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
