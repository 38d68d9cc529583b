/**
 * The built add-in in Chromium as Excel for Windows shows it, with all of Microsoft's library in the pane's page and in
 * its dialog. office.js finds Excel at `window.external`, where this file puts its own. Dialogs work as documented.
 * The first address has the pane's origin. A message goes only to its target origin and arrives with its source origin.
 * A dialog that a person closes is reported by its code.
 */
import type { BrowserContext, Page } from "playwright-core";
import { eventually, openPage, type OpenOptions } from "../browser/support";
import { createExcelHost, type ExcelHost } from "./host";

export interface DesktopExcel {
  readonly pane: Page;
  readonly host: ExcelHost;
  /** Complaints of the pane and of the dialog. */
  readonly complaints: string[];
  /** Messages that the dialog sent and that arrived. */
  readonly messages: readonly { readonly message: string; readonly origin: string }[];
  /** The code with which the next dialog is refused, or null. */
  refuses: number | null;
  /** Waits for the dialog and returns it. */
  dialog(): Promise<Page>;
  isDialogOpen(): boolean;
  /** Closes the dialog as a person does, with the window's close button. */
  closeDialog(): Promise<void>;
}

export interface DesktopExcelOptions extends OpenOptions {
  /** An Excel in which dialogs can't set the target origin of their messages. */
  readonly isOld?: boolean;
  /** Microsoft's library doesn't load in the dialog. */
  readonly withoutLibrary?: boolean;
}

/** The library adds two inline styles. The pages' policy refuses them, and INV needs neither. */
const ofLibrary = /: Applying inline style violates/;

/** Error codes from Microsoft's documentation. */
const foreignDomain = 12004;
const closedByPerson = 12006;
const alreadyOpen = 12007;

export async function openInDesktopExcel(
  origin: string,
  options: DesktopExcelOptions = {},
): Promise<DesktopExcel> {
  const { isOld = false, withoutLibrary = false } = options;
  const { page: pane, complaints } = await openPage(`${origin}/environments.json`, options);
  const context = pane.context();
  const messages: { message: string; origin: string }[] = [];
  let dialog: Page | null = null;

  const host = createExcelHost(["Sheet1"]);
  host.bridge.onMessageFromHost = (text) => void tell(pane, { kind: "bridge", text });

  async function open(address: string): Promise<number> {
    if (excel.refuses !== null) return excel.refuses;
    if (dialog !== null) return alreadyOpen;
    if (new URL(address).origin !== origin) return foreignDomain;
    dialog = await openDialog(context, { isOld, withoutLibrary }, complaints);
    dialog.once("close", () => (dialog = null));
    // The page loads while the pane learns that its dialog exists.
    void dialog.goto(address).catch(() => undefined);
    return 0;
  }

  async function pass({ messageToParent, targetOrigin }: SentByDialog, from: Page): Promise<void> {
    const ofDialog = new URL(from.url()).origin;
    const isMeant = [origin, "*"].includes(targetOrigin === "" ? ofDialog : targetOrigin);
    if (!isMeant) return;
    messages.push({ message: messageToParent, origin: ofDialog });
    await tell(pane, { kind: "dialog", said: isOld ? [0, messageToParent] : [0, messageToParent, ofDialog] });
  }

  await context.exposeBinding("toExcel", async ({ page }, { kind, text }: ToExcel): Promise<number> => {
    if (kind === "bridge") host.bridge.sendMessageToHost(text);
    if (kind === "open") return open((JSON.parse(text) as { url: string }).url);
    if (kind === "close") await dialog?.close();
    if (kind === "message") await pass(JSON.parse(text) as SentByDialog, page);
    return 0;
  });
  await pane.addInitScript(nativeExcel, { isDialog: false, isOld });
  await pane.goto(`${origin}/taskpane.html`);

  const excel: DesktopExcel = {
    pane,
    host,
    get complaints() {
      return complaints.filter((complaint) => !ofLibrary.test(complaint));
    },
    messages,
    refuses: null,
    async dialog() {
      await eventually(() => expect(dialog?.url()).toMatch(/^http/));
      return dialog!;
    },
    isDialogOpen: () => dialog !== null,
    async closeDialog() {
      await dialog?.close();
      await tell(pane, { kind: "dialog", said: [closedByPerson] });
    },
  };
  return excel;
}

async function openDialog(
  context: BrowserContext,
  { isOld, withoutLibrary }: { readonly isOld: boolean; readonly withoutLibrary: boolean },
  complaints: string[],
): Promise<Page> {
  const dialog = await context.newPage();
  dialog.on("console", (message) => {
    if (message.type() === "error") complaints.push(`dialog: ${message.text()}`);
  });
  dialog.on("pageerror", (error) => complaints.push(`dialog: ${error.message}`));
  if (withoutLibrary) {
    await dialog.route("https://appsforoffice.microsoft.com/**", (route) => route.abort());
  }
  await dialog.addInitScript(nativeExcel, { isDialog: true, isOld });
  return dialog;
}

/** The message as office.js writes it for Excel. */
interface SentByDialog {
  readonly messageToParent: string;
  /** "" if the target is the dialog's own origin. */
  readonly targetOrigin: string;
}

interface ToExcel {
  readonly kind: "bridge" | "open" | "close" | "message";
  readonly text: string;
}

type FromExcel =
  | { readonly kind: "bridge"; readonly text: string }
  | { readonly kind: "dialog"; readonly said: readonly (number | string)[] };

declare global {
  interface Window {
    toExcel(said: ToExcel): Promise<number>;
    tellPage(said: FromExcel): void;
  }
}

async function tell(page: Page, said: FromExcel): Promise<void> {
  // The page may be closed when a late answer arrives.
  await page.evaluate((given) => window.tellPage(given), said).catch(() => undefined);
}

/** Runs in the page before office.js, so it can't use anything outside the function. */
function nativeExcel({ isDialog, isOld }: { readonly isDialog: boolean; readonly isOld: boolean }): void {
  type Told = (...given: unknown[]) => void;
  const dialogEvent = 10;
  const noSuchEvent = 5001;
  const settings = new Map<string, string>();
  let hearDialog: Told | null = null;
  /** Excel returns arrays in a shape of the old scripts. */
  const listOf = (values: readonly unknown[]) => ({ toArray: () => values });
  const sets = {
    excelapi: "1.20",
    sharedruntime: "1.2",
    customfunctionsruntime: "1.5",
    dialogapi: "1.2",
    dialogorigin: isOld ? "1.0" : "1.1",
  };
  const theme = { bodyBackgroundColor: 0xffffff, bodyForegroundColor: 0, controlBackgroundColor: 0xffffff };
  const facts: Record<string, unknown> = {
    GetAppType: 1,
    GetSolutionRef: "inv",
    GetAppVersionMajor: 16,
    GetAppVersionMinor: 1,
    GetAppUILocale: "en-US",
    GetAppDataLocale: "en-US",
    GetDocUrl: "",
    GetAppCapabilities: 0,
    GetActivationMode: 1,
    GetControlIntegrationLevel: 0,
    GetSolutionToken: "",
    GetSupportedMatrix: JSON.stringify(sets),
    GetHostFullVersion: "16.0.1",
    GetOfficeThemeInfo: JSON.stringify(theme),
    GetSettings: {
      Read(keys: string[], values: string[]) {
        keys.push(...settings.keys());
        values.push(...settings.values());
      },
      Write(keys: string[], values: string[]) {
        settings.clear();
        for (const [index, key] of keys.entries()) settings.set(key, values[index] ?? "");
      },
    },
  };
  const context = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, () => value]));
  const toExcel = (kind: ToExcel["kind"], text = ""): Promise<number> => window.toExcel({ kind, text });
  const external = {
    GetHostInfo: () => `Excel$Win32$16.01$en-US$telemetry$${isDialog ? "isDialog" : ""}$$${isDialog ? 0 : 2}`,
    GetContext: () => context,
    Execute: (_id: number, _given: unknown, done: Told) => done(listOf([0])),
    RegisterEvent(id: number, target: string, hear: Told, done: Told) {
      if (id !== dialogEvent) {
        done(0);
        return;
      }
      void toExcel("open", target).then((code) => {
        if (code === 0) hearDialog = hear;
        done(code);
      });
    },
    UnregisterEvent(id: number, _target: string, done: Told) {
      if (id !== dialogEvent) {
        done(0);
        return;
      }
      done(hearDialog === null ? noSuchEvent : 0);
      hearDialog = null;
      void toExcel("close");
    },
    ...(isOld
      ? {
          MessageParent: (message: string) =>
            void toExcel("message", JSON.stringify({ messageToParent: message, targetOrigin: "" })),
        }
      : { MessageParent2: (said: string) => void toExcel("message", said) }),
  };
  const bridge: { sendMessageToHost(text: string): void; onMessageFromHost?: (text: string) => void } = {
    sendMessageToHost: (text) => void toExcel("bridge", text),
  };
  Object.defineProperty(window, "external", { value: external });
  if (!isDialog) Reflect.set(window, "_richApiNativeBridge", bridge);
  window.tellPage = (said) => {
    if (said.kind === "bridge") bridge.onMessageFromHost?.(said.text);
    else {
      const hear = hearDialog;
      // Events of the dialog itself have their own codes. After such an event the dialog is gone.
      if (said.said[0] !== 0) hearDialog = null;
      hear?.(dialogEvent, listOf(said.said));
    }
  };
}
