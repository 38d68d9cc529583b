/**
 * Excel's theme. Newer versions report `isDarkTheme`, and older ones only colours. Excel on the web reports nothing, and INV
 * then uses the light theme.
 */
import { createSource, type Source } from "../domain/notices";
import type { Theme } from "../workbook/browser-host";

export function officeTheme(context: Office.Context): Source<Theme> {
  const source = createSource<Theme>(themeOf(context.officeTheme));
  try {
    context.document.addHandlerAsync(Office.EventType.OfficeThemeChanged, () =>
      source.set(themeOf(context.officeTheme)),
    );
  } catch {
    // Versions without that event keep their first theme.
  }
  return source;
}

/** Returns the theme. Exported for the tests' table of cases. */
export function themeOf(theme: Partial<Office.OfficeTheme> | undefined): Theme {
  if (theme?.isDarkTheme !== undefined) return theme.isDarkTheme ? "dark" : "light";
  const [, red, green, blue] =
    /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(theme?.bodyBackgroundColor ?? "") ?? [];
  if (red === undefined || green === undefined || blue === undefined) return "light";
  const brightness = 0.299 * parseInt(red, 16) + 0.587 * parseInt(green, 16) + 0.114 * parseInt(blue, 16);
  return brightness < 128 ? "dark" : "light";
}
