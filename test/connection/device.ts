/** What a browser keeps on a device, which outlives the page. */
export function aDevice(entries: Readonly<Record<string, string>> = {}) {
  const stored = new Map(Object.entries(entries));
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}
export type Device = Pick<ReturnType<typeof aDevice>, "getItem" | "setItem">;

/** One that takes nothing more. */
export const fullDevice: Device = {
  getItem: () => null,
  setItem() {
    throw new Error("QuotaExceededError");
  },
};
