/**
 * Settings stored on this device, none of them secret. Each field is checked when it is read, because stored
 * data may be old or broken. Without storage, the settings last as long as the page.
 */
import { createObservable, type Observable } from "../domain/notices";

export interface PaneSettings {
  readonly freshnessMinutes: number;
  readonly whenUnanswered: "last-known" | "error";
  /** Whether a refresh accepts values that a colleague has just fetched, or requests every value. */
  readonly refreshTakes: "shared" | "exact";
  /**
   * Number of requests above which a fill-down needs the person's approval. 0 means that the pane never asks.
   */
  readonly askAboveCalls: number;
}

export interface SettingsService extends Observable<PaneSettings> {
  /** Takes effect at once and is stored on this device. */
  change(settings: Partial<PaneSettings>): void;
}

export const defaultSettings: PaneSettings = {
  freshnessMinutes: 15,
  whenUnanswered: "last-known",
  refreshTakes: "shared",
  askAboveCalls: 100,
};

export interface DeviceSettings extends SettingsService {
  lastEnvironment(): string | null;
  setLastEnvironment(id: string): void;
}

export interface DeviceSettingsOptions {
  /** Null if the browser has no storage. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  /** Prefix for keys, because Excel on the web shares storage between hosts. */
  readonly partition: string;
}

export function createDeviceSettings({ storage, partition }: DeviceSettingsOptions): DeviceSettings {
  const key = `${partition}inv.settings`;
  const stored = read(storage, key);
  const source = createObservable<PaneSettings>(checked(stored));
  let lastEnvironment = typeof stored["lastEnvironment"] === "string" ? stored["lastEnvironment"] : null;

  function keep(): void {
    try {
      storage?.setItem(key, JSON.stringify({ ...source.get(), lastEnvironment }));
    } catch {
      // The storage is full or forbidden, so the settings last as long as the page.
    }
  }

  return {
    get: source.get,
    subscribe: source.subscribe,
    change: (settings) => {
      source.set(checked({ ...source.get(), ...settings }));
      keep();
    },
    lastEnvironment: () => lastEnvironment,
    setLastEnvironment: (id) => {
      lastEnvironment = id;
      keep();
    },
  };
}

function read(storage: DeviceSettingsOptions["storage"], key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(key) ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function checked(values: Partial<Record<keyof PaneSettings, unknown>>): PaneSettings {
  return {
    freshnessMinutes: within(values.freshnessMinutes, {
      min: 1,
      max: 24 * 60,
      otherwise: defaultSettings.freshnessMinutes,
    }),
    whenUnanswered: values.whenUnanswered === "error" ? "error" : "last-known",
    refreshTakes: values.refreshTakes === "exact" ? "exact" : "shared",
    askAboveCalls: within(values.askAboveCalls, {
      min: 0,
      max: 10_000,
      otherwise: defaultSettings.askAboveCalls,
    }),
  };
}

function within(value: unknown, bounds: { min: number; max: number; otherwise: number }): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return bounds.otherwise;
  return Math.min(bounds.max, Math.max(bounds.min, Math.round(value)));
}
