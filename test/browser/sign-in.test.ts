/** Signing in through the browser workbook, with a real provider: from the button to numbers, and signing out. */
import type { Page } from "playwright-core";
import { storedBy } from "./kept";
import { button, openTab, reloadPane, unfold } from "./pane-parts";
import {
  letReachProvider,
  logIn,
  openSignedOut,
  type SignInBed,
  type SignInWorkbook,
  signInButton,
  startSignInBed,
} from "./sign-in-bed";
import { eventually, openPage, problemsInBothThemes } from "./support";
import { scratch } from "./workbook-page";

let bed: SignInBed;
/** A workbook in which nobody is signed in when a test begins. */
let opened: SignInWorkbook;

beforeAll(async () => {
  bed = await startSignInBed();
  opened = await openSignedOut(bed);
});
afterEach(async () => {
  const { page, paneFrame, complaints } = opened;
  await bed.provider.change({ cut: false });
  for (const window of page.context().pages()) if (window !== page) await window.close();
  await openTab(paneFrame, "Settings");
  const signOut = button(paneFrame, "Sign out");
  await signOut.or(signInButton(paneFrame)).first().waitFor();
  if (await signOut.isVisible()) await signOut.click();
  await signInButton(paneFrame).waitFor();
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await bed.stop();
});

/**
 * Waits for a number that only the session of now can get. Each test requests stores of its own, because INV keeps the others' answers,
 * and in rows of its own, because a cell keeps its number until it is calculated.
 */
async function getsNumber(row: number, store: number): Promise<void> {
  expect(await opened.values(scratch, row, 0)).toEqual([[null]]);
  await opened.ask(row, store);
  await opened.filled(scratch, row, 0);
}

it("a person signs in by keyboard, gets numbers, and signs out", async () => {
  const { page, paneFrame } = opened;
  await signInButton(paneFrame).waitFor();
  await signInButton(paneFrame).focus();
  const [window] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
  await paneFrame.getByText("Sign in, in the window that has opened.").waitFor();
  expect(await problemsInBothThemes(paneFrame)).toEqual([]);
  await logIn(window);
  await paneFrame.getByText("Signed in as Jane Doe").waitFor();
  await eventually(() => expect(window.isClosed()).toBe(true));
  await getsNumber(0, 1234);

  await button(paneFrame, "Sign out").focus();
  await page.keyboard.press("Enter");
  await signInButton(paneFrame).waitFor();
  await paneFrame.locator(".header-sandbox", { hasText: "Signed out" }).waitFor();
  // The number stays.
  expect(typeof (await opened.values(scratch, 0, 0))[0]?.[0]).toBe("number");

  // The provider still knows Jane, but now she may be somebody else.
  const [second] = await Promise.all([page.waitForEvent("popup"), signInButton(paneFrame).click()]);
  await logIn(second, "jane");
  await paneFrame.getByText("Signed in as Jane Doe").waitFor();
});

it("a window that the provider has cut off shows a code, which is typed into the pane; a mistyped one leaves the field", async () => {
  const { page, paneFrame } = opened;
  await bed.provider.change({ cut: true });
  await signInButton(paneFrame).click();
  const login = await eventuallyPage(page, /\/login\//);
  await logIn(login);
  const back = await eventuallyPage(page, /\/sign-in\/back/);
  await back.getByText("Type this code into INV's pane").waitFor();
  expect(await problemsInBothThemes(back)).toEqual([]);
  const code = await back.locator(".code").innerText();
  expect(code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
  await page.bringToFront();
  const field = paneFrame.getByLabel("Code, if the window shows one");
  await field.fill("much longer than any code that a window has ever shown");
  await field.press("Enter");
  await paneFrame.locator("#inv-sign-in-code-wrong", { hasText: "This code is wrong" }).waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await problemsInBothThemes(paneFrame)).toEqual([]);
  // Typing replaces the wrong code.
  await eventually(async () =>
    expect(await field.evaluate((input) => document.activeElement === input)).toBe(true),
  );
  await page.keyboard.type(code.toLowerCase());
  await page.keyboard.press("Enter");
  await paneFrame.getByText("Signed in as Jane Doe").waitFor();
  await getsNumber(1, 57);
  // The person cleared the check box, so the sign-in is only for this workbook.
  expect(await storedBy(paneFrame)).not.toContain("credentials: trial");
  expect(opened.complaints.splice(0)).toEqual([expect.stringContaining("400 (Bad Request)")]);
});

it("an ended session is shown, numbers stay, and missing values arrive after the next sign-in", async () => {
  const { page, paneFrame } = opened;
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes("/sign-in/session/")),
    opened.paneFrame
      .getByText("For all my workbooks on this device")
      .click()
      .then(() => opened.signIn()),
  ]);
  const { session } = (await answer.json()) as { session: string };
  await getsNumber(2, 100);

  // A reloaded pane needs no second sign-in.
  await eventually(async () => expect(await storedBy(paneFrame)).toContain("inv-vault credentials: trial"));
  await reloadPane(paneFrame);
  // The reloaded pane hasn't calculated the value that the sheet shows: it was answered earlier.
  await paneFrame.locator(".header-sandbox", { hasText: "Not up to date" }).waitFor();

  await fetch(`${bed.inv.origin}/sign-in/end/trial`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ session }),
  });
  await opened.ask(3, 12);
  await paneFrame.locator(".header-sandbox", { hasText: "Signed out" }).waitFor();
  const [kept, unanswered] = (await opened.values(scratch, 2, 0, 2)).map(([value]) => value);
  expect(typeof kept).toBe("number");
  expect(typeof unanswered).not.toBe("number");
  await paneFrame.locator(".notices", { hasText: "To refresh, sign in again" }).waitFor();
  await openTab(paneFrame, "Refresh");
  await unfold(paneFrame, "without a number");
  const reason = paneFrame.locator(".fold .fold", { hasText: "1 cell: You are signed out." });
  await reason.locator("summary").click();
  await reason.getByText("store 12, item 00012345678905").waitFor();

  await paneFrame.locator(".notices .button", { hasText: "Sign in" }).click();
  // The provider still knows the person.
  await signInButton(paneFrame).click();
  await paneFrame.getByText("Signed in as Jane Doe").waitFor();
  await opened.filled(scratch, 3, 0);
  expect(opened.complaints.splice(0)).toEqual([expect.stringContaining("401 (Unauthorized)")]);
});

it.each(["popup", "dialog"])(
  "a foreign page that opens the sign-in as a %s gets no message, and no code is shown for it",
  async (via) => {
    const { page: foreign } = await openPage(`${bed.inv.origin}/environments.json`);
    await letReachProvider(bed, foreign.context());
    const address = `${bed.inv.origin}/sign-in/begin/trial?challenge=${"a".repeat(43)}&via=${via}`;
    await foreign.route("http://evil.example.com/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<script>messages = []; onmessage = ({ data }) => messages.push(data)</script>
        <button onclick="window.open('${address}')">Win a prize</button>`,
      }),
    );
    await foreign.goto("http://evil.example.com/");
    const [window] = await Promise.all([foreign.waitForEvent("popup"), foreign.locator("button").click()]);
    await logIn(window);
    await window.getByText("Another site opened this window").waitFor();
    expect(await window.locator(".code").isVisible()).toBe(false);
    expect(await foreign.evaluate("messages")).toEqual([]);
  },
);

async function eventuallyPage(page: Page, address: RegExp): Promise<Page> {
  let found: Page | undefined;
  await eventually(() => {
    found = page
      .context()
      .pages()
      .find((one) => address.test(one.url()));
    if (found === undefined) throw new Error(`No page of ${String(address)}.`);
  });
  return found!;
}
