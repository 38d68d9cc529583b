/**
 * Finds the browser workbook: the page around this one, of the same origin. Excel on the web shows the pane in a frame of
 * another origin, where reading the parent throws.
 */
import type { BrowserHost } from "../workbook/browser-host";

export function findBrowserHost(page: Window): BrowserHost | null {
  try {
    return page.parent.invHost ?? null;
  } catch {
    return null;
  }
}
