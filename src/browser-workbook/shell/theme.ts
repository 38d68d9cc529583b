/**
 * Follows the system's light or dark theme: writes it to the page's root element and notifies the grid and the pane.
 */
import { createNotices } from "../../domain/notices";
import type { Theme } from "../../workbook/browser-host";

export function createTheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const notices = createNotices<Theme>();
  const theme = (): Theme => (dark.matches ? "dark" : "light");

  function apply(): void {
    document.documentElement.dataset["theme"] = theme();
    notices.tell(theme());
  }

  dark.addEventListener("change", apply);
  apply();

  return {
    get theme(): Theme {
      return theme();
    },
    /** Calls the listener now and at every change. Returns a function that ends the subscription. */
    onTheme(listener: (theme: Theme) => void): () => void {
      listener(theme());
      return notices.subscribe(listener);
    },
  };
}
