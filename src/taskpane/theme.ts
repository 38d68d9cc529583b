/**
 * Light and dark: names the theme in use on the page, for the style sheet's tokens to follow. No token is
 * computed or set here.
 */
import type { Source } from "../domain/notices";
import type { Theme } from "../workbook/browser-host";

/** Follows the theme until the returned function is called. */
export function followTheme(theme: Source<Theme>, page: Document): () => void {
  const apply = (): void => {
    page.documentElement.dataset["theme"] = theme.get();
  };
  apply();
  return theme.subscribe(apply);
}
