/** The browser workbook keeps its chosen environment when its page is reloaded. */
import { createKeptSettings } from "../../../src/browser-workbook/saved/kept-settings";
import { environmentSetting, markSetting } from "../../../src/workbook/settings";

function fakeStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

it("begins with the demo", () => {
  expect(createKeptSettings(fakeStorage(), "demo").all()).toEqual([[environmentSetting, "demo"]]);
  expect(createKeptSettings(null, "demo").all()).toEqual([[environmentSetting, "demo"]]);
});

it("opens on what was chosen last, with the mark under which it was allowed", () => {
  const storage = fakeStorage();
  const before = createKeptSettings(storage, "demo");
  before.note(environmentSetting, "sandbox");
  before.note(markSetting, "mark-1");
  before.note("inv.building", "Plan");
  expect(createKeptSettings(storage, "demo").all()).toEqual([
    [environmentSetting, "sandbox"],
    [markSetting, "mark-1"],
  ]);
  expect(storage.kept.size).toBe(2);
});

it("opens all the same where the browser forbids storage", () => {
  const forbidden = () => {
    throw new Error("SecurityError");
  };
  const settings = createKeptSettings(
    { getItem: forbidden, setItem: forbidden, removeItem: forbidden },
    "demo",
  );
  settings.note(environmentSetting, "sandbox");
  expect(settings.all()).toEqual([[environmentSetting, "demo"]]);
});

it("keeps the choice of each environment that the page begins with apart", () => {
  const storage = fakeStorage();
  createKeptSettings(storage, "file-1").note(environmentSetting, "sandbox");
  expect(createKeptSettings(storage, "file-1").all()).toEqual([[environmentSetting, "sandbox"]]);
  expect(createKeptSettings(storage, "demo").all()).toEqual([[environmentSetting, "demo"]]);
  expect(createKeptSettings(storage, "file-2").all()).toEqual([[environmentSetting, "file-2"]]);
});
