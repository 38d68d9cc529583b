/**
 * Replaces two services of the grid that the page's Content-Security-Policy refuses: the theme, which the grid would add
 * as a <style> element, and copied HTML, which a browser parses, and the policy then reports, with the asynchronous
 * clipboard.
 */
import type { Dependency } from "@univerjs/core";
import {
  BrowserClipboardService,
  HTML_CLIPBOARD_MIME_TYPE,
  IClipboardInterfaceService,
  PLAIN_TEXT_CLIPBOARD_MIME_TYPE,
  ThemeSwitcherService,
} from "@univerjs/preset-sheets-core";

type Theme = Parameters<ThemeSwitcherService["injectThemeToHead"]>[0];

/** Puts the theme variables into a constructed style sheet, which the policy allows. */
class AdoptedTheme extends ThemeSwitcherService {
  readonly #sheet = new CSSStyleSheet();

  override injectThemeToHead(theme: Theme): void {
    this.#sheet.replaceSync(`:root{${variables(theme, "--univer").join("")}}`);
    if (!document.adoptedStyleSheets.includes(this.#sheet)) document.adoptedStyleSheets.push(this.#sheet);
  }
}

function variables(values: object, path: string): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? variables(value, `${path}-${key}`)
      : [`${path}-${key}:${String(value)};`],
  );
}

/** Writes the HTML of copied cells unchanged, through a copy event. */
class UnalteredClipboard extends BrowserClipboardService {
  override async write(text: string, html: string, customData?: Record<string, string>): Promise<void> {
    if (!writeByEvent(text, html)) await super.write(text, html, customData);
  }
}

/** False if the browser doesn't allow it now. */
function writeByEvent(text: string, html: string): boolean {
  const written = { isDone: false };
  const onCopy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData(PLAIN_TEXT_CLIPBOARD_MIME_TYPE, text);
    event.clipboardData?.setData(HTML_CLIPBOARD_MIME_TYPE, html);
    written.isDone = event.clipboardData !== null;
  };
  document.addEventListener("copy", onCopy, true);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way that leaves the HTML as it is.
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy, true);
  return written.isDone;
}

/** For the grid's UI plugin. */
export const policyOverrides: Dependency[] = [
  [ThemeSwitcherService, { useClass: AdoptedTheme }],
  [IClipboardInterfaceService, { useClass: UnalteredClipboard, lazy: true }],
];
