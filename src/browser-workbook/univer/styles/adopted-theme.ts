/**
 * Puts the grid's theme variables into a constructed style sheet. The page's Content-Security-Policy allows only
 * styles from our own files, so it refuses the <style> element that the grid would add.
 */
import type { Dependency } from "@univerjs/core";
import { ThemeSwitcherService } from "@univerjs/preset-sheets-core";

type Theme = Parameters<ThemeSwitcherService["injectThemeToHead"]>[0];

class AdoptedTheme extends ThemeSwitcherService {
  readonly #sheet = new CSSStyleSheet();

  override injectThemeToHead(theme: Theme): void {
    this.#sheet.replaceSync(`:root{${variables(theme, "--univer").join("")}}`);
    if (!document.adoptedStyleSheets.includes(this.#sheet)) document.adoptedStyleSheets.push(this.#sheet);
  }
}

export const adoptedTheme: Dependency = [ThemeSwitcherService, { useClass: AdoptedTheme }];

function variables(values: object, path: string): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? variables(value, `${path}-${key}`)
      : [`${path}-${key}:${String(value)};`],
  );
}
