/** Settings of the device: kept, bounded, and not affected by other content of the storage. */
import { createDeviceSettings, defaultSettings } from "../../src/connection/device-settings";
import { aDevice, fullDevice } from "./device";

describe("device settings", () => {
  it("are the defaults at first, and kept for the next session once changed", () => {
    const storage = aDevice();
    const settings = createDeviceSettings({ storage, partition: "p:" });
    expect(settings.get()).toEqual(defaultSettings);
    settings.change({ freshnessMinutes: 30, whenUnanswered: "error" });
    settings.setLastEnvironment("sandbox");
    const later = createDeviceSettings({ storage, partition: "p:" });
    expect(later.get()).toEqual({ ...defaultSettings, freshnessMinutes: 30, whenUnanswered: "error" });
    expect(later.lastEnvironment()).toBe("sandbox");
    expect([...storage.stored.keys()]).toEqual(["p:inv.settings"]);
  });

  it("tell listeners of a change until they stop", () => {
    const settings = createDeviceSettings({ storage: null, partition: "" });
    const heard: number[] = [];
    const stop = settings.subscribe(() => heard.push(settings.get().askAboveCalls));
    settings.change({ askAboveCalls: 5 });
    stop();
    settings.change({ askAboveCalls: 10 });
    expect(heard).toEqual([5]);
  });

  it.each([
    ["not JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["wrong types", '{"freshnessMinutes":"5","askAboveCalls":true,"whenUnanswered":3,"lastEnvironment":4}'],
  ])("are the defaults where the storage holds %s", (_, stored) => {
    const storage = aDevice({ "inv.settings": stored });
    const settings = createDeviceSettings({ storage, partition: "" });
    expect(settings.get()).toEqual(defaultSettings);
    expect(settings.lastEnvironment()).toBeNull();
  });

  it("stay within bounds", () => {
    const settings = createDeviceSettings({ storage: null, partition: "" });
    settings.change({ freshnessMinutes: 0 });
    expect(settings.get().freshnessMinutes).toBe(1);
    settings.change({ freshnessMinutes: 1e9, askAboveCalls: Number.NaN });
    expect(settings.get()).toMatchObject({ freshnessMinutes: 1440, askAboveCalls: 100 });
  });

  it("last as long as the page if the storage is full", () => {
    const settings = createDeviceSettings({ storage: fullDevice, partition: "" });
    settings.change({ freshnessMinutes: 7 });
    expect(settings.get().freshnessMinutes).toBe(7);
  });
});
