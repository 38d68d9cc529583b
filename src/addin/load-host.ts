/**
 * The page's first script: finds the host before anything else runs. In the browser workbook the page uses the host's
 * `CustomFunctions`; in Excel, the page's next script is Office.js from Microsoft's address, as Office requires. The add-in's script
 * follows, because it registers its functions while it loads. Invariant: Excel can't call a function before it is registered, and the
 * page says what could not be loaded.
 */
import { unawaited } from "../domain/unawaited";
import { findBrowserHost } from "./find-browser-host";
import { showStartMessage } from "./start-message";

const slowAfterMs = 15_000;
const holdMark = "__delay__";

start();

function start(): void {
  const { addin, core } = document.currentScript?.dataset ?? {};
  if (!addin || !core) return;
  preload(core);
  const browserHost = findBrowserHost(window);
  const library = document.querySelector<HTMLScriptElement>("script[src$='/office.js']");
  if (browserHost) {
    Reflect.set(window, "CustomFunctions", browserHost.customFunctions);
    unawaited(load(addin).then(tellIfMissing));
    return;
  }
  if (library === null) {
    showStartMessage("This page works only inside the browser workbook, which is this server's start page.");
    return;
  }
  preload(addin);
  const release = holdFunctions(window);
  const slow = setTimeout(
    () =>
      showStartMessage(
        "INV still waits for Excel's library from appsforoffice.microsoft.com. Your network may be slow.",
      ),
    slowAfterMs,
  );
  unawaited(
    loaded(library).then((isLoaded) => {
      clearTimeout(slow);
      if (isLoaded) return load(addin).then(tellIfMissing).finally(release);
      showWithRetry(
        "Excel's library could not be loaded from appsforoffice.microsoft.com, so INV can't start. Check your network connection, or ask your administrator to allow that address.",
      );
      return undefined;
    }),
  );
}

/**
 * Keeps Excel from calling functions before they are registered; call it before Office.js loads. Returns a function that lets Excel
 * call. Microsoft's runtime reports functions as ready together with Office, even while the add-in's script still loads. Such calls
 * fail without a reason (reported, and seen with a slow server). The runtime waits while `CustomFunctionMappings` has this mark.
 * The mark isn't documented; a runtime that doesn't know it ignores it.
 */
function holdFunctions(page: object): () => void {
  const mappings: unknown = Reflect.get(page, "CustomFunctionMappings") ?? {};
  if (typeof mappings !== "object" || mappings === null) return () => undefined;
  Reflect.set(mappings, holdMark, true);
  Reflect.set(page, "CustomFunctionMappings", mappings);
  return () => Reflect.deleteProperty(mappings, holdMark);
}

function tellIfMissing(isThere: boolean): void {
  if (isThere) return;
  showWithRetry(
    "INV's functions could not be loaded from its server, so formulas and this pane don't work. Check your network connection, or ask your administrator whether INV's server is running.",
  );
}

function load(address: string): Promise<boolean> {
  const script = document.createElement("script");
  script.src = address;
  script.async = false;
  document.head.append(script);
  return loaded(script);
}

/** Resolves with whether the script has run. Deferred scripts run in the page's order, so a later one hasn't run yet. */
function loaded(script: HTMLScriptElement): Promise<boolean> {
  return new Promise((resolve) => {
    script.onload = () => resolve(true);
    script.onerror = () => resolve(false);
  });
}

/** Fetches a script in parallel with earlier ones instead of after them. */
function preload(address: string): void {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "script";
  link.href = address;
  document.head.append(link);
}

function showWithRetry(text: string): void {
  showStartMessage(text);
  const retry = document.createElement("button");
  retry.textContent = "Try again";
  retry.onclick = () => location.reload();
  document.getElementById("inv-starting")?.after(retry);
}
