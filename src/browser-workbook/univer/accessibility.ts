/**
 * Repairs the grid's markup for screen readers and the keyboard: buttons without a name or that only a mouse can press, invalid
 * attributes and roles, and a tab order of its own. The cells are a canvas, which no screen reader enters; the page announces the
 * selected cell. A repair changes nothing in repaired markup, so the observer comes to rest.
 */
import { onceAFrame } from "../page-turns";

const namesOfIcons: Readonly<Record<string, string>> = {
  "close-icon": "Close",
  "convert-icon": "All sheets",
  "reduce-icon": "Zoom out",
  "increase-icon": "Zoom in",
  "more-down-icon": "More",
};

/** Repairs the current markup and later additions, including menus and dialogs at the end of the page. */
export function repairMarkup(root: HTMLElement): void {
  const observer = new MutationObserver(onceAFrame(() => repair(root)));
  const attributeFilter = ["aria-expanded", "aria-label", "role", "tabindex"];
  root.addEventListener("keydown", pressButton);
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter });
  repair(root);
}

function repair(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>("[tabindex='1']")) element.tabIndex = 0;
  for (const element of root.querySelectorAll("[role='track'], [role='handle']")) {
    element.removeAttribute("role");
  }
  const notices = root.querySelectorAll("section[aria-label^='Notifications']");
  for (const [index, notice] of notices.entries()) {
    const name = index === 0 ? "Notifications" : `Notifications ${index + 1}`;
    if (notice.getAttribute("aria-label") !== name) notice.setAttribute("aria-label", name);
  }
  for (const opener of root.querySelectorAll<HTMLElement>(":is(div, a)[aria-haspopup]")) repairOpener(opener);
  // The number formats.
  for (const entry of root.querySelectorAll<HTMLElement>(
    "[role='dialog'] div:has(> span + span:last-child)",
  )) {
    if (entry.getAttribute("role") !== "button") entry.setAttribute("role", "button");
  }
  for (const button of root.querySelectorAll<HTMLElement>(":is(div, a)[role='button']:not([tabindex])")) {
    button.tabIndex = 0;
  }
  for (const button of root.querySelectorAll<HTMLElement>("button, [role='button']")) {
    if (!isNamed(button)) button.setAttribute("aria-label", nameOf(button));
  }
  for (const input of root.querySelectorAll<HTMLInputElement>("#grid input:not([aria-label])")) {
    const isCellBox = input.closest("[data-u-comp='defined-name']") !== null;
    // The grid would look for a typed cell on the sheet in view, whichever sheet it names, and make any other text a name.
    if (isCellBox) input.readOnly = true;
    input.setAttribute("aria-label", isCellBox ? "Selected cell or name" : nameOf(input));
  }
}

/** Enter and Space press a button that is a box. Menus open by themselves. */
function pressButton(event: KeyboardEvent): void {
  const { target, key, defaultPrevented } = event;
  if (defaultPrevented || (key !== "Enter" && key !== " ") || !(target instanceof HTMLElement)) return;
  if (!target.matches(":is(div, a)[role='button']")) return;
  event.preventDefault();
  target.click();
}

/** A box that opens a menu becomes a button, unless it contains other controls, which people use instead. */
function repairOpener(opener: HTMLElement): void {
  if (opener.querySelector("button, input, [tabindex='0']") === null) {
    if (opener.getAttribute("role") !== "button") opener.setAttribute("role", "button");
    return;
  }
  opener.removeAttribute("aria-haspopup");
  opener.removeAttribute("aria-expanded");
}

function isNamed(element: HTMLElement): boolean {
  return element.hasAttribute("aria-label") || element.innerText.trim() !== "";
}

function nameOf(element: HTMLElement): string {
  const command = element.closest<HTMLElement>("[data-u-command]")?.dataset["uCommand"];
  const around = element.closest<HTMLElement>("[data-u-comp]")?.dataset["uComp"];
  const icon = /univerjs-icon-([\w-]*icon)/.exec(
    element.querySelector("svg")?.getAttribute("class") ?? "",
  )?.[1];
  if (around === "sheet-bar-append-button" && icon === "increase-icon") return "Add a sheet";
  const name = namesOfIcons[icon ?? ""];
  if (name === "More" && command !== undefined) return `More: ${nameOfCommand(command)}`;
  return name ?? nameOfCommand(command) ?? nameOfCommand(around) ?? "Zoom";
}

/** Derives "bold" from `sheet.command.set-range-bold`. */
function nameOfCommand(id: string | undefined): string | undefined {
  const words = id
    ?.replace(/\.command$/, "")
    .split(".")
    .at(-1);
  return words?.replace(/^(?:set-(?:once-|range-)?|add-|smart-toggle-|open-)/, "").replaceAll("-", " ");
}
