/**
 * `npm stop`: removes INV from Excel, for example after the terminal of `npm run excel` was closed too early.
 */
import { sideload } from "./sideload.mjs";

if (["win32", "darwin"].includes(process.platform)) {
  try {
    await sideload("stop");
    console.log("INV is out of Excel. If `npm run excel` still runs, press Ctrl+C there to stop its server.");
  } catch (error) {
    console.error(`INV could not be taken out of Excel: ${error.message} See docs/excel.md.`);
    process.exitCode = 1;
  }
} else console.log("`npm run excel` runs on Windows and macOS only: there is nothing to stop here.");
