/**
 * What waits for somebody to come back, for a time: bounded in all, and for each address, so that who begins sign-ins
 * without end pushes out those of their own address, and nobody else's.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../shared-quota/clock";

export interface Pending<T extends object> {
  set(address: string, key: string, value: T): void;
  get(key: string): T | null;
  delete(key: string): void;
}

export interface PendingOptions {
  readonly clock: Pick<SteadyClock, "now">;
  readonly lastsMs: number;
}

export const most = 10_000;
/** An office that comes to work at once, behind one address. */
export const mostOfAnAddress = 500;

export function createPending<T extends object>({ clock, lastsMs }: PendingOptions): Pending<T> {
  /** The keys of each address, the oldest first. */
  const byAddress = new Map<string, Set<string>>();
  const all = new LRUCache<string, { readonly address: string; readonly value: T }>({
    max: most,
    ttl: lastsMs,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
    dispose({ address }, key) {
      const keys = byAddress.get(address);
      keys?.delete(key);
      if (keys?.size === 0) byAddress.delete(address);
    },
  });

  return {
    set(address, key, value) {
      all.delete(key);
      const [oldest] = byAddress.get(address) ?? [];
      if (oldest !== undefined && byAddress.get(address)?.size === mostOfAnAddress) all.delete(oldest);
      const keys = byAddress.get(address) ?? new Set();
      byAddress.set(address, keys.add(key));
      all.set(key, { address, value });
    },
    get: (key) => all.get(key)?.value ?? null,
    delete: (key) => void all.delete(key),
  };
}
