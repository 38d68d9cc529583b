/**
 * Random edits of the browser workbook, on an English and on a German system; test/drills/stories makes ten times as many. INV_SEED sets
 * another seed.
 */
import { editAtRandom } from "./random-edits";
import { putSaved, saved } from "./saved-workbook";
import { openScratch } from "./workbook-page";

const seed = Number(process.env.INV_SEED ?? 20_261_129);

test.each(["en-US", "de-DE"] as const)(
  "keeps and undoes random edits, also through reloads in an outage, on a system in %s",
  async (locale) => {
    const workbook = await openScratch({ locale });
    await editAtRandom(workbook, { rounds: 25, seed: locale === "en-US" ? seed : seed + 1 });
  },
);

test("random edits find a fault: the values that formulas have filled aren't saved", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  await workbook.write(["Scratch", 5, 4], [["=SEQUENCE(2,2)"]]);
  const found = editAtRandom(workbook, {
    ...{ rounds: 50, seed },
    async beforeReload() {
      const book = await saved(page);
      await putSaved(page, { ...book, snapshot: { ...book?.snapshot, arrays: undefined } });
    },
  });
  await expect(found).rejects.toThrow(`Seed ${seed}, round`);
});
