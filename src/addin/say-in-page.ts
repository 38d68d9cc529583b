/**
 * The one line of text that the page shows before there is a pane, and instead of it when there cannot be
 * one.
 */

/** Does nothing once the pane is drawn. */
export function sayInPage(text: string): void {
  const message = document.getElementById("inv-starting");
  if (message) message.textContent = text;
}
