/**
 * The sign-in's window, once the person is back from the provider: hands the code to the pane that opened it and lets
 * it close the window. The code goes to pages of this very server alone, whoever opened the window. Where the window was
 * cut off from the pane, as some providers do, the code is shown to be typed.
 */
const officeLibrary = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js";
/** The pane answers at once; Office's library has to be fetched first. */
const showAfterMs = { popup: 3_000, dialog: 8_000 };

begin();

function begin(): void {
  const { code = "", via } = document.currentScript?.dataset ?? {};
  if (via === "dialog") {
    setTimeout(showCode, showAfterMs.dialog);
    const library = document.createElement("script");
    library.src = officeLibrary;
    library.onload = () => void Office.onReady().then(() => tellOffice(code));
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
    // This is no dialog of Office.
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

/** Whose window cannot be looked into is of another origin. */
function isOwn(opener: Window): boolean {
  try {
    return opener.location.origin === location.origin;
  } catch {
    return false;
  }
}

/** To nobody whom a foreign page has sent here: it could have the code typed for itself. */
function showCode(): void {
  const opener = window.opener as Window | null;
  if (opener !== null && !isOwn(opener)) {
    say("Another site opened this window, so INV is not told. Close it, and begin in INV's pane.");
    return;
  }
  document.getElementById("inv-code")?.removeAttribute("hidden");
  say("INV's pane could not be told by itself.");
}

function say(words: string): void {
  const place = document.getElementById("inv-said");
  if (place) place.textContent = words;
}
