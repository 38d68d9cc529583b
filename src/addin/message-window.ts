/**
 * A message in Office's dialog, for a person who can't see the pane. The address contains the message behind `#`, which browsers
 * don't send, so no server log can contain it. `message-page.ts` runs in the dialog and shows it.
 */
export interface HostMessage {
  readonly title: string;
  readonly text: string;
}

const pagePath = "message.html";
/** In percent of the screen. */
const size = { height: 30, width: 30 };

/** Opens the dialog. If Excel refuses it, for example beside another dialog, the message stays in the pane only. */
export function showMessage(dialogs: Pick<Office.UI, "displayDialogAsync">, message: HostMessage): void {
  const url = new URL(pagePath, location.href);
  url.hash = new URLSearchParams({ ...message }).toString();
  // Pass a copy: Office's library modifies the object and refuses it the next time.
  dialogs.displayDialogAsync(url.href, { ...size });
}
