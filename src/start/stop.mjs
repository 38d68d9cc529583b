/**
 * `npm stop`: removes INV from Excel, for example after the terminal of `npm run excel` was closed too early.
 */
import { sideload } from "./sideload.mjs";

if (["win32", "darwin"].includes(process.platform)) {
  try {
    await sideload("stop");
    console.log(
      "INV is removed from Excel. If `npm run excel` still runs, press Ctrl+C there to stop its server.",
    );
  } catch (error) {
    console.error(`INV could not be removed from Excel: ${error.message} See docs/excel.md.`);
    process.exitCode = 1;
  }
} else console.log("There is nothing to stop here: `npm run excel` runs only on Windows and macOS.");
