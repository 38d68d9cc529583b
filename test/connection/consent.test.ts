/** One question for each workbook and environment. An ID that came in a file is worthless on another device. */
import { createConsent } from "../../src/connection/consent";
import type { Workbook } from "../../src/workbook/port";
import { aDevice, type Device, fullDevice } from "./device";
import { anEnvironment } from "./environments";

const production = anEnvironment("production", "production");
const sandbox = anEnvironment("sandbox", "sandbox");
const demo = anEnvironment("demo", "demo");

/** A workbook file: its settings, and the sheets with content. */
function aFile(filled: readonly string[] = [], settings: Record<string, string> = {}) {
  const held = new Map(Object.entries(settings));
  const workbook: Pick<Workbook, "setting" | "setSetting" | "sheets" | "usedArea"> = {
    setting: async (key) => held.get(key) ?? null,
    setSetting: async (key, value) => void held.set(key, value),
    sheets: async () =>
      ["Sheet1", "Names only", "Hidden"].map((name) => ({
        id: name,
        name,
        visible: name !== "Hidden",
        isProtected: false,
      })),
    usedArea: async (sheet) => (filled.includes(sheet) ? { sheet, row: 0, col: 0, rows: 1, cols: 1 } : null),
  };
  return { settings: held, workbook, copy: () => aFile(filled, Object.fromEntries(held)) };
}
type File = Pick<ReturnType<typeof aFile>, "workbook">;

let ids = 0;
const opened = (storage: Device, { workbook }: File) =>
  createConsent({
    storage,
    partition: "",
    randomId: () => `id-${(ids += 1)}`,
    workbook: Promise.resolve(workbook),
  });

describe("a workbook that names an environment", () => {
  it("asks once, and then never again on this device", async () => {
    const device = aDevice();
    const file = aFile();
    expect(await opened(device, file).isNeeded(production, "production")).toBe(true);
    await opened(device, file).keep(production);
    expect(await opened(device, file).isNeeded(production, "production")).toBe(false);
  });

  it("asks again for another environment, and keeps the first consent", async () => {
    const device = aDevice();
    const file = aFile();
    await opened(device, file).keep(production);
    expect(await opened(device, file).isNeeded(sandbox, "sandbox")).toBe(true);
    await opened(device, file).keep(sandbox);
    expect(await opened(device, file).isNeeded(production, "production")).toBe(false);
  });

  it("asks a person who gets the workbook by mail, and their consent adds their own ID", async () => {
    const file = aFile();
    const mine = aDevice();
    const theirs = aDevice();
    await opened(mine, file).keep(production);
    const sent = file.copy();
    expect(await opened(theirs, sent).isNeeded(production, "production")).toBe(true);
    await opened(theirs, sent).keep(production);
    expect(sent.settings.get("inv.mark")).not.toBe(file.settings.get("inv.mark"));
    expect(await opened(mine, sent.copy()).isNeeded(production, "production")).toBe(true);
  });

  it("allows nothing because of a guessed ID or broken storage", async () => {
    const broken = ["", "{", "null", "5", '[["mark"]]', '[[7,["production"]]]', '{"mark":["production"]}'];
    for (const kept of broken) {
      const device = aDevice({ "inv.consents": kept });
      const file = aFile([], { "inv.mark": "mark" });
      expect([kept, await opened(device, file).isNeeded(production, "production")]).toEqual([kept, true]);
    }
  });

  it("doesn't ask for the demo, and stores nothing for it", async () => {
    const device = aDevice();
    const file = aFile(["Sheet1"]);
    expect(await opened(device, file).isNeeded(demo, "demo")).toBe(false);
    await opened(device, file).keep(demo);
    expect([device.stored.size, file.settings.size]).toEqual([0, 0]);
  });
});

describe("a workbook without an environment", () => {
  it("asks about a workbook with any content, even hidden, but not about a new one", async () => {
    expect(await opened(aDevice(), aFile(["Sheet1"])).isNeeded(production, null)).toBe(true);
    expect(await opened(aDevice(), aFile(["Hidden"])).isNeeded(production, null)).toBe(true);
    expect(await opened(aDevice(), aFile()).isNeeded(production, null)).toBe(false);
  });

  it("doesn't ask if the workbook has an ID of this device", async () => {
    const device = aDevice();
    const file = aFile(["Sheet1"]);
    await opened(device, file).keep(production);
    expect(await opened(device, file).isNeeded(production, null)).toBe(false);
    expect(await opened(aDevice(), file.copy()).isNeeded(production, null)).toBe(true);
  });

  it("asks about a workbook that can't be read or didn't open", async () => {
    const { workbook } = aFile();
    const broken = { workbook: { ...workbook, usedArea: () => Promise.reject(new Error("busy")) } };
    expect(await opened(aDevice(), broken).isNeeded(production, null)).toBe(true);
    const unopened = createConsent({
      storage: null,
      partition: "",
      randomId: () => "m",
      workbook: Promise.reject(new Error("Excel did not open it.")),
    });
    expect(await unopened.isNeeded(production, null)).toBe(true);
  });
});

it("without storage a consent lasts as long as the page, and without a workbook INV doesn't ask", async () => {
  const file = aFile();
  const consent = opened(fullDevice, file);
  await consent.keep(production);
  expect(await consent.isNeeded(production, "production")).toBe(false);
  expect(await opened(fullDevice, file).isNeeded(production, "production")).toBe(true);
  const none = createConsent({ storage: null, partition: "", randomId: () => "m", workbook: null });
  expect(await none.isNeeded(production, "production")).toBe(false);
});

it("remembers the three hundred workbooks that were used last", async () => {
  const device = aDevice();
  const files = Array.from({ length: 301 }, () => aFile());
  for (const file of files) await opened(device, file).keep(production);
  expect(await opened(device, files[0]!).isNeeded(production, "production")).toBe(true);
  expect(await opened(device, files[300]!).isNeeded(production, "production")).toBe(false);
});
