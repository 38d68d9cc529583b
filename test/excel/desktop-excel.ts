/**
 * The built add-in in Chromium as Excel for Windows shows it, with the whole of Microsoft's library in the pane's page
 * and in its dialog: office.js finds Excel at `window.external`, where this puts one of ours. It shows dialogs as
 * documented: the first address is of the pane's own origin, a message goes to the origin that it is meant for and is
 * told with the one it comes from, and a dialog that a person closes is told by its code.
 */
import type { BrowserContext, Page } from "playwright-core";
import { eventually, openPage, type OpenOptions } from "../browser/support";
import { createExcelHost } from "./host";

export interface DesktopExcel {
  readonly pane: Page;
  /** Of the pane and of the dialog. */
  readonly complaints: string[];
  /** What the dialog sent, and came through. */
  readonly messages: readonly { readonly message: string; readonly origin: string }[];
  /** The code with which the next dialog is refused, if it is. */
  refuses: number | null;
  /** The dialog, once it is there. */
  dialog(): Promise<Page>;
  isDialogOpen(): boolean;
  /** As a person does by the cross of its window. */
  closeDialog(): Promise<void>;
}

export interface DesktopExcelOptions extends OpenOptions {
  /** An Excel from before dialogs could say where their messages go. */
  readonly isOld?: boolean;
  /** In the dialog Microsoft's library cannot be had. */
  readonly withoutLibrary?: boolean;
}

/** It brings two styles of its own, which the pages' policy refuses and nothing of INV's needs. */
const ofLibrary = /: Applying inline style violates/;

/** Documented codes. */
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
    // The page comes while the pane is told that its dialog is there.
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

/** As office.js writes it for Excel. */
interface SentByDialog {
  readonly messageToParent: string;
  /** "" where it is meant for the dialog's own. */
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
  // The page may be gone when a late answer comes.
  await page.evaluate((given) => window.tellPage(given), said).catch(() => undefined);
}

/** Runs in the page before office.js: nothing outside it is there. */
function nativeExcel({ isDialog, isOld }: { readonly isDialog: boolean; readonly isOld: boolean }): void {
  type Told = (...given: unknown[]) => void;
  const dialogEvent = 10;
  const noSuchEvent = 5001;
  const settings = new Map<string, string>();
  let hearDialog: Told | null = null;
  /** Arrays come from Excel in a shape of the old scripts' own. */
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
      // Its own events have a code of their own; then it is gone.
      if (said.said[0] !== 0) hearDialog = null;
      hear?.(dialogEvent, listOf(said.said));
    }
  };
}
