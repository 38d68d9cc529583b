/**
 * Who is bringing what: an item that nobody knows is leased to the call that asks the service for it, and whoever wants it
 * meanwhile waits for that call. In this process; a lease ends when it is given back, and who waits is told.
 */
export interface Leases {
  /**
   * For each value the lease of the call that is bringing it, where that was taken no longer ago than `maxAgeMs`. Where
   * it is null, it is this lease's from now on.
   */
  take(scope: string, values: readonly string[], wish: Wish): readonly (string | null)[];
  free(scope: string, values: readonly string[], lease: string): void;
  /** Resolves when that lease has ended. */
  changeOf(lease: string): Promise<void>;
}

export interface Wish {
  /** Two calls never name the same, at whichever servers. */
  readonly lease: string;
  /** 0 takes nothing that others asked for. */
  readonly maxAgeMs: number;
}

interface Taken {
  readonly lease: string;
  readonly atMs: number;
}

export function createLeases(now: () => number): Leases {
  const scopes = new Map<string, Map<string, Taken>>();
  const live = new Set<string>();
  const waiting = new Map<string, { readonly ended: Promise<void>; readonly end: () => void }>();

  return {
    take(scope, values, { lease, maxAgeMs }) {
      const taken = scopes.get(scope) ?? new Map<string, Taken>();
      const own = { lease, atMs: now() };
      const leases = values.map((value) => {
        const other = taken.get(value);
        if (other !== undefined && maxAgeMs > 0 && own.atMs - other.atMs <= maxAgeMs) return other.lease;
        taken.set(value, own);
        live.add(lease);
        return null;
      });
      if (taken.size > 0) scopes.set(scope, taken);
      return leases;
    },
    free(scope, values, lease) {
      const taken = scopes.get(scope);
      for (const value of values) if (taken?.get(value)?.lease === lease) taken.delete(value);
      if (taken?.size === 0) scopes.delete(scope);
      live.delete(lease);
      waiting.get(lease)?.end();
      waiting.delete(lease);
    },
    changeOf(lease) {
      if (!live.has(lease)) return Promise.resolve();
      const known = waiting.get(lease);
      if (known !== undefined) return known.ended;
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      waiting.set(lease, { ended, end });
      return ended;
    },
  };
}
