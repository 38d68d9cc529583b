/**
 * Shows the age of the stock, as reported by the add-in, in the bar; a warning is amber. If values are old, the label
 * is a button that leads to them.
 */
import type { BrowserHost, ShownStock } from "../../workbook/browser-host";

export function createStockLabel(label: HTMLElement): BrowserHost["showStock"] {
  let old: ShownStock["showOld"] = null;
  const button = document.createElement("button");
  button.type = "button";
  button.addEventListener("click", () => old?.show());
  return ({ text, isWarning, showOld }) => {
    old = showOld;
    label.hidden = text === "";
    label.title = showOld?.title ?? text;
    label.toggleAttribute("data-warning", isWarning);
    // Reuse the button, so that it keeps the keyboard focus.
    if (showOld === null) button.remove();
    else if (button.parentElement !== label) label.replaceChildren(button);
    const holder = showOld === null ? label : button;
    if (holder.textContent !== text) holder.textContent = text;
  };
}
