/**
 * Binds the keys of INV's commands, from the file that Excel also reads. Both the page and the pane's document have
 * them, because a key pressed in one does not reach the other.
 */

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
    const action = actions.get(keyOf(event));
    const run = action === undefined ? undefined : commands.get(action);
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void run();
  };
  document.addEventListener("keydown", onKey, true);
  const bindInside = (): void => frame.contentDocument?.addEventListener("keydown", onKey, true);
  frame.addEventListener("load", bindInside);
  bindInside();
}

function keyOf({ ctrlKey, altKey, shiftKey, code }: KeyboardEvent): string {
  const held = [ctrlKey ? "ctrl" : "", altKey ? "alt" : "", shiftKey ? "shift" : ""];
  return spelling([...held, code.replace(/^(?:Key|Digit)/, "")]);
}

function spelling(parts: readonly string[]): string {
  return parts
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "")
    .sort()
    .join("+");
}
