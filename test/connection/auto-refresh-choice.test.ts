/**
 * Automatic refresh is chosen for one workbook on one device. It starts or refreshes no other workbook.
 * Starting with a workbook is a property of the document (Office.addin.setStartupBehavior, documented).
 */
import { createAutoRefreshChoice } from "../../src/connection/auto-refresh-choice";
import type { CellValue, Workbook } from "../../src/workbook/port";
import { autoRefreshIdSetting } from "../../src/workbook/settings";
import { aDevice, type Device } from "./device";

interface File {
  readonly settings: Map<string, string>;
  starts: boolean;
  isReadOnly: boolean;
}
const aFile = (from: Pick<File, "settings"> = { settings: new Map() }): File => ({
  settings: new Map(from.settings),
  starts: false,
  isReadOnly: false,
});

let ids = 0;

/** Opens the file in INV. Resolves when the choice for it is known. */
async function opened(device: Device, file: File) {
  const workbook: Pick<Workbook, "setting" | "setSetting"> = {
    setting: (key) => Promise.resolve(file.settings.get(key) ?? null),
    async setSetting(key, value) {
      if (file.isReadOnly) throw new Error("read-only");
      await new Promise(setImmediate);
      file.settings.set(key, value);
    },
  };
  const choice = createAutoRefreshChoice({
    storage: device,
    partition: "",
    randomId: () => `id-${(ids += 1)}`,
    workbook: Promise.resolve(workbook),
    startWithWorkbook: (starts) => Promise.resolve(void (file.starts = starts)),
  });
  await new Promise(setImmediate);
  return choice;
}

describe("automatic refresh of a workbook", () => {
  it("applies to the workbook where it was switched on, and starts INV only there", async () => {
    const device = aDevice();
    const [mine, other] = [aFile(), aFile()];
    await (await opened(device, mine)).choose(10);
    expect((await opened(device, mine)).get()).toBe(10);
    expect((await opened(device, other)).get()).toBe(0);
    expect([mine.starts, other.starts]).toEqual([true, false]);
    expect(other.settings.size).toBe(0);
  });

  it("is off in the workbook where it was switched off, and stays on in another", async () => {
    const device = aDevice();
    const [mine, other] = [aFile(), aFile()];
    await (await opened(device, mine)).choose(10);
    await (await opened(device, other)).choose(30);
    await (await opened(device, mine)).choose(0);
    expect((await opened(device, mine)).get()).toBe(0);
    expect((await opened(device, other)).get()).toBe(30);
    expect([mine.starts, other.starts]).toEqual([false, true]);
  });

  it("doesn't apply to a person who gets the workbook by mail; they choose for themselves", async () => {
    const [mine, theirs] = [aDevice(), aDevice()];
    const file = aFile();
    await (await opened(mine, file)).choose(5);
    const mailed = aFile(file);
    expect((await opened(theirs, mailed)).get()).toBe(0);
    await (await opened(theirs, mailed)).choose(60);
    expect((await opened(theirs, mailed)).get()).toBe(60);
    expect((await opened(mine, file)).get()).toBe(5);
    expect(mailed.settings.get(autoRefreshIdSetting)).not.toBe(file.settings.get(autoRefreshIdSetting));
  });

  it("reports a choice at once, even if the workbook refuses it", async () => {
    const file = aFile();
    file.isReadOnly = true;
    const choice = await opened(aDevice(), file);
    const heard: CellValue[] = [];
    choice.subscribe(() => heard.push(choice.get()));
    await expect(choice.choose(5)).rejects.toThrow("read-only");
    expect(heard).toEqual([5]);
    expect(file.starts).toBe(false);
  });

  it("keeps the last of two quick choices", async () => {
    const device = aDevice();
    const file = aFile();
    const choice = await opened(device, file);
    await Promise.all([choice.choose(5), choice.choose(0)]);
    expect([(await opened(device, file)).get(), file.starts]).toEqual([0, false]);
  });

  it.each(["{", "7", '[["a"],[1,2],["m","5"],["m",0],["m",1e9]]'])(
    "is off where the device holds %s",
    async (stored) => {
      const device = aDevice({ "inv.auto-refresh": stored });
      const file = aFile({ settings: new Map([[autoRefreshIdSetting, "m"]]) });
      expect((await opened(device, file)).get()).toBe(0);
    },
  );

  it("ignores the setting of an earlier version for all workbooks", async () => {
    const device = aDevice({ "inv.settings": '{"autoRefreshMinutes":5}' });
    const file = aFile();
    expect((await opened(device, file)).get()).toBe(0);
    expect(file.starts).toBe(false);
  });
});
