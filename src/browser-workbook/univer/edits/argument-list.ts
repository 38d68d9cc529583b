/**
 * The words that an argument takes, while it is typed, as functions.json has them for Excel: beside the grid's help for the
 * function. Up and Down go through them, Tab or a click takes one; whoever types on is not held up.
 */
import { CommandType, ICommandService } from "@univerjs/core";
import { IShortcutService, KeyCode } from "@univerjs/preset-sheets-core";
import type { ArgumentWord, FunctionsFile } from "../../functions/functions-file";
import { functionName } from "../calculation/engine-functions";
import type { Grid } from "../create-grid";
import { argumentAtCaret } from "./argument-at-caret";
import { complete, editorAtCaret } from "./edited-text";

const command = "inv.command.argument-list";
/** Above the grid's own keys. */
const priority = 1_001;
/** Of the grid's help, which stands below the editor. */
const helpWidthPx = 258;

/** @param list an empty listbox, hidden */
export function offerArguments({ injector }: Grid, { functions }: FunctionsFile, list: HTMLElement): void {
  const commands = injector.get(ICommandService);
  let marked = 0;
  let isAsked = false;

  function offered() {
    const editor = editorAtCaret(injector);
    const argument = editor && argumentAtCaret(editor.text, editor.caret);
    if (!argument) return null;
    const callee = functions.find((each) => functionName(each) === argument.callee);
    const parameter = callee?.parameters[argument.index];
    const typed = argument.typed.toUpperCase();
    const words = parameter?.words.filter(({ word }) => word.toUpperCase().startsWith(typed)) ?? [];
    return words.length === 0 ? null : { editor, argument, words, name: parameter?.name ?? "" };
  }

  function show(): void {
    isAsked = false;
    const now = offered();
    list.hidden = now === null;
    if (now === null) marked = 0;
    else {
      marked = Math.min(marked, now.words.length - 1);
      list.ariaLabel = now.name;
      list.replaceChildren(...now.words.map(option));
      const { left, bottom, top } = now.editor.place;
      const beside = left + helpWidthPx;
      const { offsetWidth: width, offsetHeight: height } = list;
      list.style.left = `${beside + width > innerWidth ? Math.max(0, left - width) : beside}px`;
      list.style.top = `${bottom + height > innerHeight ? Math.max(0, top - height) : bottom}px`;
      list.children[marked]?.scrollIntoView({ block: "nearest" });
    }
  }

  function option({ word, meaning }: ArgumentWord, index: number): HTMLElement {
    const item = document.createElement("li");
    item.role = "option";
    item.ariaSelected = String(index === marked);
    item.append(word);
    if (meaning !== "") item.appendChild(document.createElement("span")).textContent = meaning;
    item.addEventListener("pointerdown", (event) => {
      // The keyboard stays in the editor.
      event.preventDefault();
      take(index);
    });
    return item;
  }

  function take(index: number): void {
    const now = offered();
    const chosen = now?.words[index];
    if (!now || chosen === undefined) return;
    const { editorId, caret: to } = now.editor;
    complete(injector, { editorId, from: now.argument.from, to, text: `"${chosen.word}"` });
  }

  commands.registerCommand({
    id: command,
    type: CommandType.COMMAND,
    handler(_accessor, { by }: { readonly by: number }) {
      if (by === 0) take(marked);
      else marked = (marked + by + list.childElementCount) % list.childElementCount;
      show();
      return true;
    },
  });
  const keys = [
    [KeyCode.TAB, 0],
    [KeyCode.ARROW_DOWN, 1],
    [KeyCode.ARROW_UP, -1],
  ] as const;
  for (const [binding, by] of keys) {
    const preconditions = (): boolean => !list.hidden && offered() !== null;
    const staticParameters = { by };
    injector
      .get(IShortcutService)
      .registerShortcut({ id: command, binding, priority, preconditions, staticParameters });
  }
  // Whatever is typed, and wherever the caret goes, comes as a command.
  commands.onCommandExecuted(() => {
    if (!isAsked) requestAnimationFrame(show);
    isAsked = true;
  });
}
