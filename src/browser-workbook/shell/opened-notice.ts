/**
 * Shows the name of the opened file, and what of it isn't shown, above the sheets until the person closes the notice.
 */
import type { Workbook } from "../../workbook/port";
import { openedSetting, readOpenedNote } from "../open-xlsx/opened-note";

export interface OpenedNoticeParts {
  readonly notice: HTMLElement;
  readonly text: HTMLElement;
  readonly close: HTMLButtonElement;
}

export async function showOpenedNotice(
  { notice, text, close }: OpenedNoticeParts,
  workbook: Pick<Workbook, "setting" | "setSetting">,
): Promise<void> {
  const note = readOpenedNote(await workbook.setting(openedSetting));
  if (note === null) return;
  const title = document.createElement("p");
  title.textContent = `${note.name} is open${note.left.length === 0 ? ", all of it." : "."}`;
  const left = document.createElement("p");
  left.textContent = `Not shown here, and not in a download from here: ${note.left.join(", ")}.`;
  text.replaceChildren(title, ...(note.left.length === 0 ? [] : [left]));
  notice.hidden = false;
  close.addEventListener("click", () => {
    notice.hidden = true;
    void workbook.setSetting(openedSetting, "");
  });
}
