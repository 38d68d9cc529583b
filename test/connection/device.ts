/** A browser's storage on a device, which outlives the page. */
export function aDevice(entries: Readonly<Record<string, string>> = {}) {
  const stored = new Map(Object.entries(entries));
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}
export type Device = Pick<ReturnType<typeof aDevice>, "getItem" | "setItem">;

/** A device whose storage is full. */
export const fullDevice: Device = {
  getItem: () => null,
  setItem() {
    throw new Error("QuotaExceededError");
  },
};
