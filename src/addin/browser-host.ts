/**
 * Finds the browser workbook: the page around this one, of the same origin. Excel on the web frames the pane from another origin,
 * where reading the parent throws.
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
