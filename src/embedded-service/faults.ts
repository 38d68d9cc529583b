/**
 * Fault switches for trials and tests: which share of the calls goes wrong, and how slow the service
 * is. Off unless set; what is set can be changed while the service runs, and `describe` says it in
 * words, so that no host can leave it on unnoticed. `service` does what they say.
 */
const faultKinds = ["429", "500", "hang"] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultSettings {
  /** Added before every answer. */
  readonly latencyMs: number;
  /** Share of the calls by fault, 0 to 1; together at most 1. */
  readonly shares: Readonly<Partial<Record<FaultKind, number>>>;
}

export interface Faults {
  current(): FaultSettings;
  /**
   * Replaces what is given and keeps the rest; says why not, and changes nothing, where it is not valid.
   * Null: it is set.
   */
  set(change: { readonly latencyMs?: number; readonly fail?: string }): string | null;
  /** What the settings do, in words for a banner; null when nothing is set. */
  describe(): string | null;
  /** The fate of one call. `chance` is 0 up to but not including 1. */
  draw(chance: number): FaultKind | null;
}

/** Less than a server waits on a connection where nothing moves. */
const maxLatencyMs = 60_000;

const words: Record<FaultKind, string> = {
  "429": "are refused (429)",
  "500": "fail (500)",
  hang: "never get an answer",
};

export function createFaults(): Faults {
  let settings: FaultSettings = { latencyMs: 0, shares: {} };
  return {
    current: () => settings,
    set({ latencyMs = settings.latencyMs, fail }) {
      if (!(latencyMs >= 0 && latencyMs <= maxLatencyMs)) {
        return `The latency must be 0 to ${maxLatencyMs} milliseconds; it is ${String(latencyMs)}.`;
      }
      const shares = fail === undefined ? settings.shares : parseFaultSpec(fail);
      if (typeof shares === "string") return `The faults ${shares}.`;
      settings = { latencyMs, shares };
      return null;
    },
    describe() {
      const parts = faultKinds.flatMap((kind) => {
        const share = settings.shares[kind] ?? 0;
        return share > 0 ? [`${percent(share)} of the calls ${words[kind]}`] : [];
      });
      if (settings.latencyMs > 0) parts.push(`every answer waits ${settings.latencyMs} ms`);
      return parts.length === 0 ? null : `${parts.join(", ")}.`;
    },
    draw(chance) {
      let reach = 0;
      for (const kind of faultKinds) {
        reach += settings.shares[kind] ?? 0;
        if (chance < reach) return kind;
      }
      return null;
    },
  };
}

/**
 * Reads a specification such as `429=5%,500=2%,hang=1%`; empty or `none` switches all off. A fault that is not named is off.
 * Returns a text such as "must be …" if the specification is wrong.
 */
export function parseFaultSpec(spec: string): FaultSettings["shares"] | string {
  const shares: Partial<Record<FaultKind, number>> = {};
  const parts = spec.split(",").map((part) => part.trim());
  for (const part of parts) {
    if (part === "" || part === "none") continue;
    const [, name, number] = /^(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*%?$/.exec(part) ?? [];
    const kind = faultKinds.find((known) => known === name);
    if (kind === undefined || number === undefined) {
      return `must be shares such as 429=5%,hang=1%, of ${faultKinds.join(", ")}`;
    }
    shares[kind] = Number(number) / 100;
  }
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  // A hair over 1, because shares such as 0.07 + 0.93 need not sum to 1 exactly.
  return sum > 1.000_001 ? `must be at most 100% together, not ${percent(sum)}` : shares;
}

/** The shares as a specification, the inverse of `parseFaultSpec`. */
export function formatFaultSpec(shares: FaultSettings["shares"]): string {
  return faultKinds
    .filter((kind) => (shares[kind] ?? 0) > 0)
    .map((kind) => `${kind}=${percent(shares[kind] ?? 0)}`)
    .join(",");
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(4))}%`;
}
