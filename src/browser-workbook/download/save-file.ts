/** Gives the workbook to the person as a file, named by the day. */
import { type Downloaded, workbookAsXlsx } from "./xlsx";

export async function saveAsFile(downloaded: Downloaded): Promise<void> {
  const address = URL.createObjectURL(await workbookAsXlsx(downloaded));
  const link = document.createElement("a");
  link.href = address;
  link.download = `INV ${new Date().toISOString().slice(0, 10)}.xlsx`;
  link.click();
  // The browser reads it in a moment of its own.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
