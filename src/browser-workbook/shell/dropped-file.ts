/**
 * Answers a file that is dropped on the page or on the pane. INV opens no files here, and without this the browser would
 * leave the workbook for the file.
 */
import type { MessageLink } from "./reason-line";

const manifest: MessageLink = { text: "manifest.xml", address: "/manifest.xml" };

export function refuseFiles(
  frame: HTMLIFrameElement,
  tell: (sentence: string, link: MessageLink) => void,
): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  const allow = (event: DragEvent): void => {
    if (hasFiles(event)) event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    tell("Open it in Excel. To use INV there, give Excel this file:", manifest);
  };
  // Capture the events before the grid gets them.
  const bind = (target: Window | null): void => {
    for (const kind of ["dragenter", "dragover"] as const) target?.addEventListener(kind, allow, true);
    target?.addEventListener("drop", drop, true);
  };
  bind(window);
  frame.addEventListener("load", () => bind(frame.contentWindow));
}
