/** `npm stop`: ends what `npm run excel` started; the order of the steps is in open-excel.mjs. */
import { setTimeout } from "node:timers/promises";
import { deleteMark, isServing } from "./excel-running.mjs";
import { stopExcel } from "./open-excel.mjs";
import { sideload } from "./sideload.mjs";

process.exitCode = await stopExcel({
  platform: process.platform,
  tellToStop: deleteMark,
  isServing,
  pause: (ms) => setTimeout(ms),
  sideload,
  say: (line) => console.log(line),
});
