/**
 * The page's first script: finds the host before anything else runs. In the browser workbook the page uses the host's
 * `CustomFunctions`; elsewhere it loads Office.js from Microsoft's address, as Office requires. The add-in's script follows,
 * because it registers its functions while it loads. Invariant: Excel can't call a function before it is registered, and the
 * page says what could not be loaded.
 */
import { findBrowserHost } from "./browser-host";
import { holdFunctions } from "./hold-functions";
import { showStartMessage } from "./start-message";

const slowAfterMs = 15_000;

start();

function start(): void {
  const { officeLibrary, addin, core } = document.currentScript?.dataset ?? {};
  if (!officeLibrary || !addin || !core) return;
  preload(core);
  const browserHost = findBrowserHost(window);
  if (browserHost) {
    Reflect.set(window, "CustomFunctions", browserHost.customFunctions);
    void load(addin).then(tellIfMissing);
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
  void load(officeLibrary).then((loaded) => {
    clearTimeout(slow);
    if (loaded) return load(addin).then(tellIfMissing).finally(release);
    showWithRetry(
      "Excel's library could not be loaded from appsforoffice.microsoft.com, so INV can't start. Check your network connection, or ask your administrator to allow that address.",
    );
    return undefined;
  });
}

function tellIfMissing(isThere: boolean): void {
  if (isThere) return;
  showWithRetry(
    "INV's functions could not be loaded from its server, so formulas and this pane don't work. Check your network connection, or ask your administrator whether INV's server is running.",
  );
}

function load(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = address;
    script.async = false;
    script.onload = () => resolve(true);
    script.onerror = () => resolve(false);
    document.head.append(script);
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
