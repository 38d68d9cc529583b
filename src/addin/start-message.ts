/** Sets the line of text that the page shows before the pane, or instead of it. Does nothing once the pane is drawn. */
export function showStartMessage(text: string): void {
  const message = document.getElementById("inv-starting");
  if (message) message.textContent = text;
}
