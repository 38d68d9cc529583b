/**
 * Office's dialog, of which a page can have one. It shows a message to a person who can't see the pane, or a sign-in. A message
 * gives way: a newer one replaces it, and a sign-in closes it first. A sign-in gives way to nothing.
 *
 * The address contains the message behind `#`, which browsers don't send, so no server log can contain it. `message-page.ts` runs in
 * the dialog and shows it.
 */
import type { Clock } from "../engine/clock";

export interface HostMessage {
  readonly title: string;
  readonly text: string;
}

/** The part of Office that opens dialogs. */
export interface Dialogs {
  displayDialogAsync(
    url: string,
    options: Office.DialogOptions,
    opened: (result: Office.AsyncResult<Office.Dialog>) => void,
  ): void;
}

export interface MessageWindow {
  /** Shows the message. If Excel refuses, for example during a sign-in, it stays in the pane only. */
  show(message: HostMessage): void;
  /** Opens other dialogs, and closes a message first. */
  readonly dialogs: Dialogs;
}

const pagePath = "message.html";
/** In percent of the screen. */
const size = { height: 30, width: 30 };
/** Error codes that Microsoft documents. */
const alreadyOpen = 12007;
const closedByPerson = 12006;
/** Excel doesn't report when a dialog that INV has closed is gone. */
const retryMs = 250;
const retries = 12;

export function createMessageWindow(office: Dialogs, clock: Pick<Clock, "setTimeout">): MessageWindow {
  /** The dialog that shows a message, or will show one; null if there is none. */
  let current: { dialog: Office.Dialog | null } | null = null;

  /** Returns whether there was a message. */
  function closeMessage(): boolean {
    const closed = current;
    current = null;
    closed?.dialog?.close();
    return closed !== null;
  }

  /** Tries again while a message is still closing. */
  function open(
    attempts: number,
    isWanted: () => boolean,
    [url, options, opened]: Parameters<Dialogs["displayDialogAsync"]>,
  ): void {
    // Pass a copy: Office's library modifies the object and refuses it the next time.
    office.displayDialogAsync(url, { ...options }, (result) => {
      const isFailed = result.status === Office.AsyncResultStatus.Failed;
      if (!isFailed || result.error.code !== alreadyOpen || attempts === 0) {
        opened(result);
        return;
      }
      clock.setTimeout(() => {
        if (isWanted()) open(attempts - 1, isWanted, [url, options, opened]);
      }, retryMs);
    });
  }

  return {
    show(message) {
      const attempts = closeMessage() ? retries : 0;
      const slot: { dialog: Office.Dialog | null } = { dialog: null };
      const isCurrent = () => current === slot;
      current = slot;
      const url = new URL(pagePath, location.href);
      url.hash = new URLSearchParams({ ...message }).toString();
      const opened = ({ status, value }: Office.AsyncResult<Office.Dialog>): void => {
        if (status === Office.AsyncResultStatus.Failed) {
          if (isCurrent()) current = null;
        } else if (isCurrent()) {
          slot.dialog = value;
          value.addEventHandler(Office.EventType.DialogEventReceived, (event) => {
            // Excel throws if a closed dialog is closed again.
            if ("error" in event && event.error === closedByPerson && isCurrent()) current = null;
          });
        } else value.close();
      };
      open(attempts, isCurrent, [url.href, size, opened]);
    },
    dialogs: {
      displayDialogAsync(url, options, opened) {
        open(closeMessage() ? retries : 0, () => true, [url, options, opened]);
      },
    },
  };
}
