/**
 * The page's first script: decides who the host is before anything else runs. In the browser workbook
 * the host's `CustomFunctions` becomes this page's own, and Office's library is not needed; anywhere
 * else that library is loaded from Microsoft's address, as Office requires. Then comes the add-in,
 * always after whatever gives it `CustomFunctions`, because it registers its functions while loading.
 * Invariant: Excel is not told that functions can be called before they are there, and whatever cannot be
 * loaded is said in the page.
 */
import { findBrowserHost } from "./browser-host";
import { holdFunctions } from "./hold-functions";
import { sayInPage } from "./say-in-page";

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
      sayInPage("Still waiting for Excel's library from appsforoffice.microsoft.com. Is the network slow?"),
    slowAfterMs,
  );
  void load(officeLibrary).then((loaded) => {
    clearTimeout(slow);
    if (loaded) return load(addin).then(tellIfMissing).finally(release);
    sayWithRetry(
      "Excel's library could not be loaded from appsforoffice.microsoft.com, so INV cannot start. Check the network or ask your administrator to allow that address.",
    );
    return undefined;
  });
}

function tellIfMissing(isThere: boolean): void {
  if (isThere) return;
  sayWithRetry(
    "INV's functions could not be loaded from its server, so formulas and this pane do not work. Check the network, or ask your administrator whether INV's server is running.",
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

/** Fetches a script beside those before it instead of after them. */
function preload(address: string): void {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "script";
  link.href = address;
  document.head.append(link);
}

function sayWithRetry(text: string): void {
  sayInPage(text);
  const retry = document.createElement("button");
  retry.textContent = "Try again";
  retry.onclick = () => location.reload();
  document.getElementById("inv-starting")?.after(retry);
}
