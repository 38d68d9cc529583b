/** How old the stock is, in the bar, as the add-in says it; in amber where that is a warning. */
import type { BrowserHost } from "../../workbook/browser-host";

export function createStockLabel(label: HTMLElement): BrowserHost["showStock"] {
  return ({ text, isWarning }) => {
    label.hidden = text === "";
    if (label.textContent !== text) label.textContent = text;
    label.title = text;
    label.toggleAttribute("data-warning", isWarning);
  };
}
