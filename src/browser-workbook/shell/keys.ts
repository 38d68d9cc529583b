/**
 * The keys of the page. F6 moves the keyboard focus between sheet and pane, as in Excel, and Shift+F6 to the buttons
 * above them, then to the sheets' tabs; Tab can't do it, because the grid uses it for cells. Ctrl+Z undoes from outside the cells
 * too. F1 opens the help. INV's commands have the keys of the
 * file that Excel also reads. A key pressed in the pane reaches only its own document, so both documents have the
 * handlers.
 */
import { unawaited } from "../../domain/unawaited";
import type { PaneFrame } from "./pane";

export interface FocusTargets {
  readonly frame: HTMLIFrameElement;
  readonly pane: PaneFrame;
  /** Contains the buttons above sheet and pane. */
  readonly tools: HTMLElement;
  focusGrid(): void;
}

/** Binds F6 in the page now, and in the pane's document each time it is loaded. */
export function bindFocusKey(targets: FocusTargets): void {
  const { frame } = targets;
  /** The last focused element of the pane, which its document forgets when it loses the focus. */
  let lastFocused: HTMLElement | null = null;
  document.addEventListener(
    "keydown",
    (event) => onKey(event, () => focusPane(targets, lastFocused), targets),
    true,
  );
  frame.addEventListener("load", () => {
    lastFocused = null;
    const inside = frame.contentDocument;
    inside?.addEventListener("focusin", ({ target }) => (lastFocused = target as HTMLElement));
    const leave = (): void => focusSheet(targets);
    inside?.addEventListener("keydown", (event) => onKey(event, leave, targets), true);
  });
}

export function bindHelpKey(showHelp: () => unknown): void {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F1" || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      showHelp();
    },
    true,
  );
}

function onKey(event: KeyboardEvent, act: () => void, targets: FocusTargets): void {
  if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.shiftKey) focusTools(targets);
  else act();
}

function focusTools({ frame, tools }: FocusTargets): void {
  const isThere = tools.contains(document.activeElement);
  frame.blur();
  window.focus();
  if (isThere) {
    document.querySelector<HTMLElement>("[role='tab'][aria-selected='true']")?.focus();
    return;
  }
  tools.querySelector<HTMLElement>("a[href], button")?.focus();
}

function focusSheet({ frame, focusGrid }: FocusTargets): void {
  frame.blur();
  window.focus();
  focusGrid();
}

function focusPane({ frame, pane }: FocusTargets, lastFocused: HTMLElement | null): void {
  pane.show();
  frame.focus();
  const inside = frame.contentDocument;
  if (inside === null) return;
  frame.contentWindow?.focus();
  lastFocused?.focus();
  // Return to the element that had the focus before; if there is none, to the first control.
  if (inside.activeElement !== null && inside.activeElement !== inside.body) return;
  const controls = "button, a[href], input, select, textarea, [tabindex='0']";
  inside.querySelector<HTMLElement>(controls)?.focus();
}

export interface UndoKeys {
  undo(): void;
  redo(): void;
}

/** Binds undo and redo outside the cells too. */
export function bindUndoKeys(frame: HTMLIFrameElement, keys: UndoKeys): void {
  const onKey = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, altKey, shiftKey } = event;
    if (!(ctrlKey || metaKey) || altKey || takesText(event.target)) return;
    const letter = event.key.toLowerCase();
    if (letter === "z" && !shiftKey) keys.undo();
    else if (letter === "y" || letter === "z") keys.redo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", onKey, true);
  frame.addEventListener("load", () => frame.contentDocument?.addEventListener("keydown", onKey, true));
}

/** Whether the element undoes its own text. The elements are of the page or of the pane, another realm. */
function takesText(target: EventTarget | null): boolean {
  const fields =
    "input:not([type='radio'], [type='checkbox'], [type='button']), textarea, select, [contenteditable]";
  return (target as Partial<Element> | null)?.closest?.(`${fields}, #grid`) !== null;
}

/** The commands by their ids in the shortcuts file. The add-in adds them while it loads. */
export type ShortcutActions = Map<string, () => Promise<void>>;

interface ShortcutsFile {
  readonly shortcuts: readonly { readonly action: string; readonly key: { readonly default: string } }[];
}

const address = "/assets/shortcuts.json";

/** Rejects if the file can't be loaded; then the commands have no keys. */
export async function bindShortcuts(frame: HTMLIFrameElement, commands: ShortcutActions): Promise<void> {
  const response = await fetch(address);
  const { shortcuts } = (await response.json()) as ShortcutsFile;
  const actions = new Map(shortcuts.map(({ action, key }) => [spelling(key.default.split("+")), action]));
  const onKey = (event: KeyboardEvent): void => {
    const action = actions.get(pressedKeys(event));
    const run = action === undefined ? undefined : commands.get(action);
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    unawaited(run());
  };
  document.addEventListener("keydown", onKey, true);
  const bindInside = (): void => frame.contentDocument?.addEventListener("keydown", onKey, true);
  frame.addEventListener("load", bindInside);
  bindInside();
}

function pressedKeys({ ctrlKey, altKey, shiftKey, code }: KeyboardEvent): string {
  const modifiers = [ctrlKey ? "ctrl" : "", altKey ? "alt" : "", shiftKey ? "shift" : ""];
  return spelling([...modifiers, code.replace(/^(?:Key|Digit)/, "")]);
}

function spelling(parts: readonly string[]): string {
  return parts
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "")
    .sort()
    .join("+");
}
