/**
 * Light and dark: Fluent's tokens for the theme in use, as custom properties of the page. Set through a
 * constructed stylesheet, which the page's Content-Security-Policy allows where inline styles are not.
 */
import { webDarkTheme, webLightTheme } from "@fluentui/tokens";
import { setTheme } from "@fluentui/web-components/theme/set-theme.js";
import type { Source, Theme } from "./services";

/** Follows the theme until the returned function is called. */
export function followTheme(theme: Source<Theme>, page: Document): () => void {
  function apply(): void {
    const dark = theme.get() === "dark";
    setTheme(dark ? webDarkTheme : webLightTheme);
    page.documentElement.dataset["theme"] = dark ? "dark" : "light";
  }
  apply();
  return theme.subscribe(apply);
}
