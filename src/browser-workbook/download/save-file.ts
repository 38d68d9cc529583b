/** Downloads the workbook as a file whose name contains the date. */
import { type DownloadSource, workbookAsXlsx } from "./xlsx";

export async function saveAsFile(downloaded: DownloadSource): Promise<void> {
  const address = URL.createObjectURL(await workbookAsXlsx(downloaded));
  const link = document.createElement("a");
  link.href = address;
  link.download = `INV ${new Date().toISOString().slice(0, 10)}.xlsx`;
  link.click();
  // Keep the URL for a while: the browser reads the file asynchronously.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
