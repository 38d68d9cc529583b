/**
 * The window of a sign-in: Office's dialog in Excel, a window of the browser elsewhere. The code comes back as a message
 * of this server's own page, and of no other: a foreign page that opened it, or sends one like it, is not heard.
 */
import { parsedJson } from "../domain/json";
import type { SignInPopup, WindowWord } from "../taskpane/services";

export interface WindowOptions {
  /** Null outside Excel. */
  readonly dialogs: Pick<Office.UI, "displayDialogAsync"> | null;
  readonly page: Window;
}

type Tell = (word: WindowWord) => void;

/** Documented for `DialogEventReceived`. */
const closedByPerson = 12006;

/** Percent of the screen, in Excel; pixels elsewhere. */
const dialogSize = { height: 70, width: 35 };
const popupFeatures = "popup,width=520,height=700";

export function openSignInWindow({ dialogs, page }: WindowOptions, url: string, tell: Tell): SignInPopup {
  return dialogs === null
    ? openPopup(page, url, tell)
    : openDialog(dialogs, page.location.origin, { url, tell });
}

function openPopup(page: Window, url: string, tell: Tell): SignInPopup {
  const { origin } = page.location;
  const popup = page.open(url, "inv-sign-in", popupFeatures);

  // Without one, a link may have opened it, which nobody here holds.
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

/** Documented: the dialog begins at the add-in's own origin, and its messages are of an origin that is told with them. */
function openDialog(
  dialogs: Pick<Office.UI, "displayDialogAsync">,
  origin: string,
  { url, tell }: { readonly url: string; readonly tell: Tell },
): SignInPopup {
  let dialog: Office.Dialog | null = null;
  let isClosed = false;
  // Office's library writes into the object, and refuses it the next time.
  dialogs.displayDialogAsync(url, { ...dialogSize }, ({ status, value }) => {
    if (status === Office.AsyncResultStatus.Failed) {
      tell({ kind: "refused" });
      return;
    }
    dialog = value;
    if (isClosed) dialog.close();
    dialog.addEventHandler(Office.EventType.DialogMessageReceived, (said) => {
      // Older hosts do not tell it, and pass messages of the add-in's own origin alone.
      if (!("message" in said) || (said.origin !== undefined && said.origin !== origin)) return;
      const code = codeOf(parsedJson(said.message));
      if (code === null) return;
      tell({ kind: "code", code });
    });
    dialog.addEventHandler(Office.EventType.DialogEventReceived, (said) => {
      if (!("error" in said) || said.error !== closedByPerson) return;
      // Excel throws where one is closed that is not there any more.
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
