/** Ten times as many random edits of the browser workbook as `npm test`, with a seed of its own. */
import { editAtRandom } from "../../browser/random-edits";
import { openScratch } from "../../browser/workbook-page";

test("keeps and undoes 500 random edits", async () => {
  const workbook = await openScratch({ locale: "de-DE" });
  await editAtRandom(workbook, { rounds: 500, seed: Number(process.env.INV_SEED ?? Date.now() % 1_000_000) });
}, 3_600_000);
