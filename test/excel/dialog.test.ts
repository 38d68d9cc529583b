/** INV's windows in Excel's dialog, with Microsoft's own library in the pane and in the dialog: sign-in with a real provider, and messages. */
import type { Page } from "playwright-core";
import { button } from "../browser/pane-parts";
import { chooseTrial, logIn, type SignInBed, startSignInBed } from "../browser/sign-in-bed";
import { accessibilityProblems, eventually, problemsInBothThemes } from "../browser/support";
import { type DesktopExcel, type DesktopExcelOptions, openInDesktopExcel } from "./desktop-excel";

/** Documented: the person declined Excel's question whether the dialog may open. */
const refusedByPerson = 12009;

let bed: SignInBed;

beforeAll(async () => {
  bed = await startSignInBed();
});
afterAll(async () => {
  await bed.stop();
});

async function open(options: DesktopExcelOptions = {}): Promise<DesktopExcel> {
  const excel = await openInDesktopExcel(bed.inv.origin, options);
  await chooseTrial(bed, excel.pane.context(), excel.pane.mainFrame());
  return excel;
}

const press = (pane: Page): Promise<void> => button(pane.mainFrame(), "Sign in at ACME").click();

const signedIn = (pane: Page): Promise<void> => pane.getByText("Signed in as Jane Doe").waitFor();

it("the dialog gives the code only to the pane, and the pane closes it", async () => {
  const excel = await open();
  await press(excel.pane);
  await logIn(await excel.dialog());
  await signedIn(excel.pane);
  await eventually(() => expect(excel.isDialogOpen()).toBe(false));
  expect(excel.messages).toEqual([
    { message: expect.stringMatching(/^{"invSignIn":"[A-Z0-9]{8}"}$/) as string, origin: bed.inv.origin },
  ]);
  expect(excel.complaints).toEqual([]);
});

it("an older Excel, whose dialogs send messages without an origin, signs in too", async () => {
  const excel = await open({ isOld: true });
  await press(excel.pane);
  await logIn(await excel.dialog());
  await signedIn(excel.pane);
  expect(excel.complaints).toEqual([]);
});

it("if the dialog can't load Excel's library, the person types its code, also after the dialog was closed", async () => {
  const excel = await open({ withoutLibrary: true, theme: "dark" });
  await press(excel.pane);
  const dialog = await excel.dialog();
  await logIn(dialog);
  await dialog.getByText("Type this code into INV's pane").waitFor();
  expect(await accessibilityProblems(dialog)).toEqual([]);
  const code = await dialog.locator(".code").innerText();
  expect(excel.messages).toEqual([]);
  await excel.closeDialog();
  await excel.pane.getByText("The window is closed.").waitFor();
  expect(await accessibilityProblems(excel.pane)).toEqual([]);
  await excel.pane.locator("#inv-sign-in-code").fill(code);
  await excel.pane.locator("#inv-sign-in-code").press("Enter");
  await signedIn(excel.pane);
});

it("a dialog that the person closes can be opened again", async () => {
  const excel = await open();
  await press(excel.pane);
  await (await excel.dialog()).locator("input[name=account]").waitFor();
  await excel.closeDialog();
  await excel.pane.getByText("The window is closed.").waitFor();
  await press(excel.pane);
  await logIn(await excel.dialog());
  await signedIn(excel.pane);
  expect(excel.complaints).toEqual([]);
});

it("the pane reports a dialog that Excel refuses, and tries again at the next press", async () => {
  const excel = await open();
  excel.refuses = refusedByPerson;
  await press(excel.pane);
  await excel.pane.getByRole("link", { name: "sign in by this link" }).waitFor();
  expect(await accessibilityProblems(excel.pane)).toEqual([]);
  excel.refuses = null;
  await press(excel.pane);
  await logIn(await excel.dialog());
  await signedIn(excel.pane);
});

it("outside Excel the dialog's page shows the code for typing, and sends no message", async () => {
  const excel = await open();
  const page = await excel.pane.context().newPage();
  const link = `${bed.inv.origin}/sign-in/begin/trial?challenge=${"a".repeat(43)}&via=dialog`;
  await page.goto(link);
  await logIn(page);
  await page.getByText("Type this code into INV's pane").waitFor();
  expect(excel.messages).toEqual([]);
});

it("a command that Excel won't open the pane for says in a dialog how to open it", async () => {
  const excel = await open();
  excel.host.hidePane();
  excel.host.pressKey("showTemplates");
  const dialog = await excel.dialog();
  await dialog
    .getByText("Choose Store inventory on the Home tab. The pane then shows the templates.")
    .waitFor();
  expect(await problemsInBothThemes(dialog)).toEqual([]);
  await excel.closeDialog();
  excel.host.showPane();
  await excel.pane.getByRole("tab", { name: "Templates", selected: true }).waitFor();
  expect(excel.complaints).toEqual([]);
});

it("a command whose pane is in view needs no dialog", async () => {
  const excel = await open();
  excel.host.hidePane();
  excel.host.showPane();
  excel.host.pressKey("showTemplates");
  await excel.pane.getByRole("tab", { name: "Templates", selected: true }).waitFor();
  expect(excel.isDialogOpen()).toBe(false);
});
