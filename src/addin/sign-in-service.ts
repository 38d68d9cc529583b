/**
 * Signs people in for the pane: opens the window, exchanges its code, and connects with the session. The window is Office's dialog
 * in Excel, a browser window elsewhere. INV accepts the code only in a message from a page of this server. Loaded only for
 * environments that people sign in to.
 */
import type { Transport } from "../api/transport";
import type { ConnectionManager } from "../connection/connection";
import { endSession, startSignIn } from "../connection/sign-in";
import { InvError } from "../domain/errors";
import { parsedJson } from "../domain/json";
import type { Clock } from "../engine/clock";
import type { SignInEvent, SignInPopup, SignInService } from "../taskpane/services";
import type { Dialogs } from "./message-window";

export function createSignInService(options: {
  readonly connection: Pick<ConnectionManager, "connect" | "forget" | "sessionOf">;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Null if the page is not secure. */
  readonly crypto: Crypto | null;
  /** Null outside Excel. */
  readonly dialogs: Dialogs | null;
  /** Null if the browser forbids storage. */
  readonly storage: Storage | null;
}): SignInService {
  const { connection, transport, clock, crypto, dialogs, storage } = options;
  /** The device remembers who signed out, because the provider would sign the same account in again without a word. */
  const signedOut = (id: string) => `inv.signed-out.${id}`;
  return {
    async prepare(environment) {
      if (crypto === null) {
        throw new InvError(
          "signed-out",
          "You can sign in only where INV is opened by https. Ask your administrator.",
        );
      }
      const started = await startSignIn({
        environment,
        transport,
        crypto,
        clock,
        asksForAccount: () => storage?.getItem(signedOut(environment.id)) === "1",
      });
      return {
        link: () => started.address("popup"),
        open: (onEvent) => {
          const url = started.address(dialogs === null ? "popup" : "dialog");
          return openSignInWindow({ dialogs, page: window }, url, onEvent);
        },
        async signIn(code, { remember, signal }) {
          const credentials = await started.exchange(code);
          storage?.removeItem(signedOut(environment.id));
          // Connect without a test: a service that is down must not keep a signed-in person from connecting.
          await connection.connect(
            { environmentId: environment.id, credentials, remember },
            { tested: false, signal },
          );
        },
      };
    },
    async signOut(environment) {
      const session = await connection.sessionOf(environment);
      await connection.forget(environment.id);
      storage?.setItem(signedOut(environment.id), "1");
      if (session !== null) await endSession({ environment, transport }, session);
    },
  };
}

type OnEvent = (event: SignInEvent) => void;

/** The code for "closed by the user", documented for `DialogEventReceived`. */
const closedByPerson = 12006;

/** Size of the dialog in Excel, in percent of the screen. Popups use pixels. */
const dialogSize = { height: 70, width: 35 };
const popupFeatures = "popup,width=520,height=700";

/** Opens the window. `dialogs` is null outside Excel. */
export function openSignInWindow(
  { dialogs, page }: { readonly dialogs: Dialogs | null; readonly page: Window },
  url: string,
  onEvent: OnEvent,
): SignInPopup {
  return dialogs === null
    ? openPopup(page, url, onEvent)
    : openDialog(dialogs, page.location.origin, { url, onEvent });
}

function openPopup(page: Window, url: string, onEvent: OnEvent): SignInPopup {
  const { origin } = page.location;
  const popup = page.open(url, "inv-sign-in", popupFeatures);

  // If the browser blocked the popup, a link may have opened a window that this page has no reference to.
  function receive(event: MessageEvent): void {
    if (event.origin !== origin || (popup !== null && event.source !== popup)) return;
    const code = codeOf(event.data);
    if (code === null) return;
    (event.source as WindowProxy | null)?.postMessage({ invSignIn: "taken" }, origin);
    onEvent({ kind: "code", code });
  }

  page.addEventListener("message", receive);
  if (popup === null) onEvent({ kind: "refused" });
  return {
    close() {
      page.removeEventListener("message", receive);
      popup?.close();
    },
  };
}

/** Opens Office's dialog. Documented: the dialog starts at the add-in's own origin, and each message includes its origin. */
function openDialog(
  dialogs: Dialogs,
  origin: string,
  { url, onEvent }: { readonly url: string; readonly onEvent: OnEvent },
): SignInPopup {
  let dialog: Office.Dialog | null = null;
  let isClosed = false;
  dialogs.displayDialogAsync(url, dialogSize, ({ status, value }) => {
    if (status === Office.AsyncResultStatus.Failed) {
      onEvent({ kind: "refused" });
      return;
    }
    dialog = value;
    if (isClosed) dialog.close();
    dialog.addEventHandler(Office.EventType.DialogMessageReceived, (event) => {
      // Older hosts omit the origin, and pass only messages of the add-in's own origin.
      if (!("message" in event) || (event.origin !== undefined && event.origin !== origin)) return;
      const code = codeOf(parsedJson(event.message));
      if (code === null) return;
      onEvent({ kind: "code", code });
    });
    dialog.addEventHandler(Office.EventType.DialogEventReceived, (event) => {
      if (!("error" in event) || event.error !== closedByPerson) return;
      // Excel throws if a closed dialog is closed again.
      dialog = null;
      onEvent({ kind: "closed" });
    });
  });
  return {
    close() {
      isClosed = true;
      dialog?.close();
      dialog = null;
    },
  };
}

function codeOf(message: unknown): string | null {
  const code: unknown = Reflect.get(Object(message) as object, "invSignIn");
  return typeof code === "string" && /^[A-Z0-9]{8}$/.test(code) ? code : null;
}
