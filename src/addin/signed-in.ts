/**
 * The sign-in window after the provider's page: passes the code to the pane that opened it, which closes the window. The code
 * goes only to pages of this server. If a provider's page cut the window off from the pane, the window shows the code for the
 * person to type.
 */
import { unawaited } from "../domain/unawaited";

const officeLibrary = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js";
/** Time until the window shows the code. The pane answers at once; in a dialog, Office's library must load first. */
const showAfterMs = { popup: 3_000, dialog: 8_000 };

begin();

function begin(): void {
  const { code = "", via } = document.currentScript?.dataset ?? {};
  if (via === "dialog") {
    setTimeout(showCode, showAfterMs.dialog);
    const library = document.createElement("script");
    library.src = officeLibrary;
    library.onload = () => unawaited(Office.onReady().then(() => tellOffice(code)));
    library.onerror = showCode;
    document.head.append(library);
    return;
  }
  const opener = window.opener as Window | null;
  if (opener !== null && isOwn(opener)) tellOpener(opener, code);
  else showCode();
}

function tellOffice(code: string): void {
  try {
    Office.context.ui.messageParent(JSON.stringify({ invSignIn: code }), { targetOrigin: location.origin });
  } catch {
    // This window isn't an Office dialog.
    showCode();
  }
}

function tellOpener(opener: Window, code: string): void {
  setTimeout(showCode, showAfterMs.popup);
  window.addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || source !== opener) return;
    if (Reflect.get(Object(data) as object, "invSignIn") === "taken") window.close();
  });
  opener.postMessage({ invSignIn: code }, location.origin);
}

/** Returns whether the opener is a page of this server. Windows of other origins can't be read. */
function isOwn(opener: Window): boolean {
  try {
    return opener.location.origin === location.origin;
  } catch {
    return false;
  }
}

/** Shows the code. If another site opened the window, it doesn't, because that site could ask the person for the code. */
function showCode(): void {
  const opener = window.opener as Window | null;
  if (opener !== null && !isOwn(opener)) {
    show(
      "Another site opened this window, so you are not signed in. Close it, then sign in from INV's pane.",
    );
    return;
  }
  document.getElementById("inv-code")?.removeAttribute("hidden");
  show("INV's pane didn't receive the code. Type it there.");
}

function show(words: string): void {
  const element = document.getElementById("inv-said");
  if (element) element.textContent = words;
}
