/**
 * Writes the HTML of copied cells to the clipboard unchanged, through a copy event. With the asynchronous clipboard,
 * a browser parses the HTML, and the page's Content-Security-Policy reports it.
 * A copy event doesn't.
 */
import type { Dependency } from "@univerjs/core";
import {
  BrowserClipboardService,
  HTML_CLIPBOARD_MIME_TYPE,
  IClipboardInterfaceService,
  PLAIN_TEXT_CLIPBOARD_MIME_TYPE,
} from "@univerjs/preset-sheets-core";

class WholeClipboard extends BrowserClipboardService {
  override async write(text: string, html: string, customData?: Record<string, string>): Promise<void> {
    if (!writeByEvent(text, html)) await super.write(text, html, customData);
  }
}

export const unalteredClipboard: Dependency = [
  IClipboardInterfaceService,
  { useClass: WholeClipboard, lazy: true },
];

/** False if the browser doesn't allow it now. */
function writeByEvent(text: string, html: string): boolean {
  const written = { isDone: false };
  const onCopy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData(PLAIN_TEXT_CLIPBOARD_MIME_TYPE, text);
    event.clipboardData?.setData(HTML_CLIPBOARD_MIME_TYPE, html);
    written.isDone = event.clipboardData !== null;
  };
  document.addEventListener("copy", onCopy, true);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way that leaves the HTML as it is.
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy, true);
  return written.isDone;
}
