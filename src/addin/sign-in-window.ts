/**
 * The window of a sign-in: Office's dialog in Excel, a browser window elsewhere. It accepts the code only as a message from a
 * page of this server.
 */
import { parsedJson } from "../domain/json";
import type { SignInPopup, WindowWord } from "../taskpane/services";

type Tell = (word: WindowWord) => void;

/** Documented for `DialogEventReceived`. */
const closedByPerson = 12006;

/** Percent of the screen, in Excel; pixels elsewhere. */
const dialogSize = { height: 70, width: 35 };
const popupFeatures = "popup,width=520,height=700";

/** `dialogs` is null outside Excel. */
export function openSignInWindow(
  {
    dialogs,
    page,
  }: { readonly dialogs: Pick<Office.UI, "displayDialogAsync"> | null; readonly page: Window },
  url: string,
  tell: Tell,
): SignInPopup {
  return dialogs === null
    ? openPopup(page, url, tell)
    : openDialog(dialogs, page.location.origin, { url, tell });
}

function openPopup(page: Window, url: string, tell: Tell): SignInPopup {
  const { origin } = page.location;
  const popup = page.open(url, "inv-sign-in", popupFeatures);

  // Without a popup, a link may have opened a window that this page has no reference to.
  function hear(event: MessageEvent): void {
    if (event.origin !== origin || (popup !== null && event.source !== popup)) return;
    const code = codeOf(event.data);
    if (code === null) return;
    (event.source as WindowProxy | null)?.postMessage({ invSignIn: "taken" }, origin);
    tell({ kind: "code", code });
  }

  page.addEventListener("message", hear);
  if (popup === null) tell({ kind: "refused" });
  return {
    close() {
      page.removeEventListener("message", hear);
      popup?.close();
    },
  };
}

/** Documented: the dialog starts at the add-in's own origin, and each message says its origin. */
function openDialog(
  dialogs: Pick<Office.UI, "displayDialogAsync">,
  origin: string,
  { url, tell }: { readonly url: string; readonly tell: Tell },
): SignInPopup {
  let dialog: Office.Dialog | null = null;
  let isClosed = false;
  // A copy: Office's library writes into the object and refuses it the next time.
  dialogs.displayDialogAsync(url, { ...dialogSize }, ({ status, value }) => {
    if (status === Office.AsyncResultStatus.Failed) {
      tell({ kind: "refused" });
      return;
    }
    dialog = value;
    if (isClosed) dialog.close();
    dialog.addEventHandler(Office.EventType.DialogMessageReceived, (said) => {
      // Older hosts don't say it, and pass only messages of the add-in's own origin.
      if (!("message" in said) || (said.origin !== undefined && said.origin !== origin)) return;
      const code = codeOf(parsedJson(said.message));
      if (code === null) return;
      tell({ kind: "code", code });
    });
    dialog.addEventHandler(Office.EventType.DialogEventReceived, (said) => {
      if (!("error" in said) || said.error !== closedByPerson) return;
      // Excel throws where a closed dialog is closed again.
      dialog = null;
      tell({ kind: "closed" });
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
