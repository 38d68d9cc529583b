/** What an opened workbook offers: to finish or undo interrupted work, and to thaw a mailed workbook once. */
import { createThawOffer } from "../../../src/workbook/frozen-formulas/thaw-offer";
import { createLedger } from "../../../src/workbook/frozen-formulas/ledger";
import { isLedgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import { prepareToMail } from "../../../src/workbook/share/prepare-to-mail";
import { mailedSetting } from "../../../src/workbook/settings";
import type { MemoryWorkbook } from "../memory-workbook";
import { crashing, formulasOf, freezeStage, planWorkbook, plannedStage } from "./stage";

/** Opens the workbook again, as after a reload. */
async function opened(workbook: MemoryWorkbook) {
  const { freezer } = freezeStage(workbook);
  const offer = createThawOffer(workbook, freezer);
  await offer.look();
  return { offer, freezer };
}

/** A freeze of seven formulas that stopped at the given numbers of recorded formulas and formulas in cells. */
async function cutOff(isThere: (written: number, left: number) => boolean): Promise<MemoryWorkbook> {
  for (let verb = 1; verb < 100; verb += 1) {
    const workbook = planWorkbook(3);
    const { freezer } = freezeStage(workbook, crashing(workbook, { verb, when: "after" }).workbook);
    await freezer.freeze("workbook").catch(() => undefined);
    const content = await createLedger(workbook).read();
    const left = (await formulasOf(workbook)).size;
    const hasSheet = (await workbook.sheets()).some(({ name }) => isLedgerSheet(name));
    const isUnderWay = hasSheet && (content === null || content.state === "freezing");
    if (isUnderWay && isThere(content?.lines.length ?? 0, left)) return workbook;
  }
  throw new Error("A freeze never passes there.");
}

const cutOffBefore = () => cutOff((written, left) => written === 7 && left === 7);
const cutOffAfter = () => cutOff((written, left) => written === 7 && left === 0);

test("offers nothing if no work was interrupted", async () => {
  const workbook = planWorkbook(2);
  const { offer, freezer } = await opened(workbook);
  expect(offer.get()).toBeNull();
  await freezer.freeze("workbook");
  expect((await opened(workbook)).offer.get()).toBeNull();
});

test("offers nothing if a freeze was interrupted before it wrote its list", async () => {
  const workbook = await cutOff((written) => written === 0);
  expect((await opened(workbook)).offer.get()).toBeNull();
  expect((await freezeStage(workbook).freezer.freeze("workbook")).cells).toBe(7);
});

async function cutOffWhileThawing(): Promise<MemoryWorkbook> {
  const { workbook, freezer } = plannedStage(3);
  await freezer.freeze("workbook");
  await createLedger(workbook).setState("none", "thawing");
  return workbook;
}

test.each([
  ["freezing", "accept", 0, cutOffBefore],
  ["freezing", "accept", 0, cutOffAfter],
  ["freezing", "decline", 7, cutOffBefore],
  ["freezing", "decline", 7, cutOffAfter],
  ["thawing", "accept", 7, cutOffWhileThawing],
  ["thawing", "decline", 0, cutOffWhileThawing],
] as const)("%s that was cut off: %s leaves %i formulas", async (kind, choice, formulas, cut) => {
  const workbook = await cut();
  const { offer } = await opened(workbook);
  expect(offer.get()).toMatchObject({ kind, frozen: { cells: 7 } });
  await offer[choice]();
  const left = await formulasOf(workbook);
  expect(left).toEqual(formulas === 0 ? new Map() : await formulasOf(planWorkbook(3)));
  expect(offer.get()).toBeNull();
  expect((await opened(workbook)).offer.get()).toBeNull();
});

test("after going back has failed, the offer describes the new state, and finishing restores the formulas", async () => {
  const workbook = await cutOffAfter();
  const { offer } = await opened(workbook);
  const { exchange } = workbook;
  workbook.exchange = () => Promise.reject(new Error("The sheet is being edited."));
  await expect(offer.decline()).rejects.toThrow("The sheet is being edited.");
  expect(offer.get()?.kind).toBe("thawing");
  workbook.exchange = exchange;
  await offer.accept();
  expect((await formulasOf(workbook)).size).toBe(7);
  expect(offer.get()).toBeNull();
});

test.each([
  ["accept", 7],
  ["decline", 0],
] as const)("a mailed workbook asks once: %s leaves %i formulas", async (choice, formulas) => {
  const workbook = planWorkbook(3);
  await prepareToMail({ workbook, freezer: freezeStage(workbook).freezer }, "values");
  const { offer } = await opened(workbook);
  expect(offer.get()?.kind).toBe("mailed");
  // Looking changes nothing: a person who closes the workbook without a choice is asked again.
  expect((await opened(workbook)).offer.get()?.kind).toBe("mailed");
  await offer[choice]();
  expect((await formulasOf(workbook)).size).toBe(formulas);
  expect(await workbook.setting(mailedSetting)).toBe("asked");
  expect((await opened(workbook)).offer.get()).toBeNull();
});

test("a workbook without INV formulas is not prepared, and offers nothing", async () => {
  const workbook = planWorkbook(0);
  workbook.cells.clear();
  const report = await prepareToMail({ workbook, freezer: freezeStage(workbook).freezer }, "values");
  expect(report).toEqual({ cells: 0, skipped: [], frozen: null });
  expect((await opened(workbook)).offer.get()).toBeNull();
});
