/**
 * Light or dark: the system's choice until the person makes their own with the button. The choice stands
 * on the page's root element; the grid and the pane are told.
 */
import { createNotices } from "../../domain/notices";
import type { Theme } from "../../workbook/browser-host";

export interface ThemeSwitch {
  readonly theme: Theme;
  /** Told now, and again at every change. Returns the way to stop. */
  onTheme(listener: (theme: Theme) => void): () => void;
}

export function createThemeSwitch(button: HTMLButtonElement): ThemeSwitch {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const notices = createNotices<Theme>();
  let chosen: Theme | null = null;
  const theme = (): Theme => chosen ?? (system.matches ? "dark" : "light");

  function apply(): void {
    document.documentElement.dataset["theme"] = theme();
    button.textContent = theme() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Change to ${theme() === "dark" ? "light" : "dark"} colours`);
    notices.tell(theme());
  }

  button.addEventListener("click", () => {
    chosen = theme() === "dark" ? "light" : "dark";
    apply();
  });
  system.addEventListener("change", apply);
  apply();

  return {
    get theme() {
      return theme();
    },
    onTheme(listener) {
      listener(theme());
      return notices.subscribe(listener);
    },
  };
}
