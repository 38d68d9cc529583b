/**
 * Finding the browser workbook: the page around this one, when it is of our own origin and says that
 * it is a host. In Excel there is none, and asking must not throw (Excel on the web frames the pane
 * from another origin, which forbids the look).
 */
import type { BrowserHost } from "../workbook/browser-host";

/** The host around this page, or null. */
export function findBrowserHost(page: Window): BrowserHost | null {
  try {
    return page.parent.invHost ?? null;
  } catch {
    return null;
  }
}
