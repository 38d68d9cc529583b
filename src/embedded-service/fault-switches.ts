/**
 * Fault switches for trials and tests: which share of the requests fails, and how slow the service is. They can change while the
 * service runs. `describe` puts them into words, so that no host leaves them on unnoticed. A hang ends only when the caller gives up
 * (the request's signal), so that faults work the same for callers in this process and for an HTTP host.
 */
import { type ServiceCall, json, type OperationName, tooManyRequests, unavailable } from "./answers";
import { tokenError } from "./token";

const faultKinds = ["429", "500", "hang"] as const;
type FaultKind = (typeof faultKinds)[number];

/** Share of the requests by fault, 0 to 1; together at most 1. */
type Shares = Readonly<Partial<Record<FaultKind, number>>>;

interface FaultSettings {
  /** Delay before every response. */
  readonly latencyMs: number;
  /** The specification; "" for no faults. */
  readonly fail: string;
}

export interface Faults {
  current(): FaultSettings;
  /** Replaces the given settings and keeps the rest. Returns null, or why a setting isn't valid; then nothing changes. */
  set(change: { readonly latencyMs?: number; readonly fail?: string }): string | null;
  /** Returns the faults in words, for a banner; null if there are none. */
  describe(): string | null;
  /** Draws the fault of one request; null for none. `chance` is at least 0 and less than 1. */
  draw(chance: number): FaultKind | null;
}

/** Less than a server's timeout for idle connections. */
const maxLatencyMs = 60_000;

const words: Record<FaultKind, string> = {
  "429": "are refused (429)",
  "500": "fail (500)",
  hang: "never get an answer",
};

export function createFaults(): Faults {
  let settings: FaultSettings = { latencyMs: 0, fail: "" };
  let shares: Shares = {};
  return {
    current: () => settings,
    set({ latencyMs = settings.latencyMs, fail = settings.fail }) {
      if (!(latencyMs >= 0 && latencyMs <= maxLatencyMs)) {
        return `The latency must be 0 to ${maxLatencyMs} milliseconds; it is ${String(latencyMs)}.`;
      }
      const parsed = parseFaultSpec(fail);
      if (typeof parsed === "string") return `The faults ${parsed}.`;
      settings = { latencyMs, fail };
      shares = parsed;
      return null;
    },
    describe() {
      const parts = faultKinds.flatMap((kind) => {
        const share = shares[kind] ?? 0;
        return share > 0 ? [`${percent(share)} of the requests ${words[kind]}`] : [];
      });
      if (settings.latencyMs > 0) parts.push(`every response waits ${settings.latencyMs} ms`);
      return parts.length === 0 ? null : `${parts.join(", ")}.`;
    },
    draw(chance) {
      let reach = 0;
      for (const kind of faultKinds) {
        reach += shares[kind] ?? 0;
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
export function parseFaultSpec(spec: string): Shares | string {
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
  // Slightly over 1, because the sum of shares such as 0.07 and 0.93 may not be exact.
  return sum > 1.000_001 ? `must be at most 100% together, not ${percent(sum)}` : shares;
}

/** `Retry-After` of a 429 from a fault switch. */
const throttledMs = 2000;

/** Answers a request, or applies the fault that is drawn for it. */
export async function playFaults(
  { call, operation }: { call: ServiceCall; operation: OperationName | "token" },
  answer: () => Promise<Response>,
  {
    faults,
    random,
    sleep,
    environment,
  }: {
    readonly faults: Faults;
    readonly random: () => number;
    readonly sleep: (waitMs: number) => Promise<void>;
    readonly environment: string;
  },
): Promise<Response> {
  const { latencyMs } = faults.current();
  const fault = faults.draw(random());
  if (latencyMs > 0) await sleep(latencyMs);
  switch (fault) {
    case null:
      return answer();
    case "429":
      return operation === "token"
        ? json(429, tokenFault, { "retry-after": String(throttledMs / 1000) })
        : tooManyRequests(operation, environment, throttledMs);
    case "500":
      return operation === "token"
        ? tokenError(500, "temporarily_unavailable", "A fault switch of the service is on.")
        : unavailable(call);
    case "hang":
      return untilAborted(call.request);
  }
}

const tokenFault = {
  error: "temporarily_unavailable",
  error_description: "Too many requests. Retry after some time.",
};

/** Keeps hanging requests from garbage collection, because a request's signal follows its caller's only while the request exists. */
const hanging = new Set<Request>();

function untilAborted(request: Request): Promise<Response> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => {
      hanging.delete(request);
      reject(new DOMException("The caller gave up waiting.", "AbortError"));
    };
    if (request.signal.aborted) {
      abort();
    } else {
      hanging.add(request);
      request.signal.addEventListener("abort", abort, { once: true });
    }
  });
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(4))}%`;
}
