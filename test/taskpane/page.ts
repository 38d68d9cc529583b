/**
 * A page without a browser: elements, events and focus, and no layout. It exists as long as the test file runs.
 */
import { Window } from "happy-dom";
import { options } from "preact";

const window = new Window({ url: "https://inv.example/taskpane.html" });
const { document, HTMLElement } = window;
Object.assign(globalThis, { window, document, HTMLElement });
// Nothing is painted, so effects run right after the drawing.
options.requestAnimationFrame = queueMicrotask;

/** Where components are drawn: empty at the start of each test. */
export const root = document.createElement("div") as unknown as HTMLElement;
document.body.append(root as never);

const inline = new Set(["A", "CODE", "STRONG"]);

/** The visible text, a line for each piece. */
export function shown(element: Element = root): string {
  const words = [...element.childNodes].map((node) => {
    if (node.nodeType === 3) return node.textContent ?? "";
    if (node.nodeType !== 1 || (node as Element).hasAttribute("hidden")) return "";
    const own = shown(node as Element);
    if (inline.has(node.nodeName)) return own;
    return node.nodeName === "SPAN" ? ` ${own} ` : `\n${own}\n`;
  });
  return words
    .join("")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
}

/** Buttons and radio buttons with this text that a person can press. */
export function buttons(words: string | RegExp = ""): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("button:not([role=tab]), input[type=radio]")].filter(
    (element) =>
      element.closest('[hidden], [disabled], [aria-disabled="true"]') === null &&
      (typeof words === "string" ? wordsOf(element).includes(words) : words.test(wordsOf(element))),
  );
}

function wordsOf(element: Element): string {
  return shown(element.closest("label") ?? element);
}

/** Presses the only button with this text. The second press of a double-click has `clicks` 2. */
export function press(words: string | RegExp, clicks = 1): void {
  const [found, ...others] = buttons(words);
  if (!found || others.length > 0) {
    throw new Error(
      `Expected one button ${String(words)}, found ${others.length + (found ? 1 : 0)} in:\n${shown()}`,
    );
  }
  if (found.getAttribute("type") === "submit") found.closest("form")?.requestSubmit();
  else if (found.getAttribute("type") === "radio") found.click();
  else found.dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: clicks }) as never);
}

export function turnTo(tab: string): void {
  const found = [...root.querySelectorAll<HTMLElement>("[role=tab]")].find((each) =>
    shown(each).startsWith(tab),
  );
  if (!found) throw new Error(`There is no tab ${tab}.`);
  found.click();
}

/** Opens or closes a group, as a click on its heading does. */
export function unfold(words: string, isOpen = true): void {
  const found = [...root.querySelectorAll("details")].find((each) =>
    shown(each.querySelector("summary") ?? each).includes(words),
  );
  if (!found) throw new Error(`There is no group "${words}" in:\n${shown()}`);
  found.open = isOpen;
  found.dispatchEvent(new window.Event("toggle") as never);
}

/** Types into a field, or chooses from a list, by its id. */
export function type(id: string, value: string): void {
  const field = root.querySelector(`#${id}`);
  if (!field) throw new Error(`There is no field ${id} in:\n${shown()}`);
  Reflect.set(field, "value", value);
  for (const type of ["input", "change"]) {
    field.dispatchEvent(new window.Event(type, { bubbles: true }) as never);
  }
}
