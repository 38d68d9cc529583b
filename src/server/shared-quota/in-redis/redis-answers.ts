/**
 * Caches answers in Redis, for several servers. One script looks up all items of a call, and leases those that nobody has
 * or will bring, so that equal items cost one call whichever servers receive them. A lease lasts a few seconds and is
 * renewed while the call is in flight. An answer is stored before its lease ends, and waiting servers also look
 * regularly, so a lost notice or a dead server costs seconds. Each record is stored as JSON and is parsed only when it
 * comes from the service.
 */
import { LRUCache } from "lru-cache";
import { digestOf } from "../../digest";
import type { Redis } from "../../redis/redis";
import { freeScript, findScript, keepScript, renewScript } from "./answer-scripts";
import type { SteadyClock } from "../../steady-clock";
import type { FoundItem, KnownAnswers } from "../known-answers";
import { readSearchRecords } from "../search-format";

export interface RedisAnswersOptions {
  readonly redis: Pick<Redis, "run" | "listen">;
  readonly clock: Pick<SteadyClock, "now" | "setTimeout" | "clearTimeout">;
  /** Limits all answers in Redis together. */
  readonly maxBytes: number;
  /** The longest time a dead server holds up others. Leases are renewed after a third of it. */
  readonly leasedForMs?: number;
}

/** No caller accepts an older answer. */
const keptForMs = 86_400_000;
/** Longer than any call waits and takes; afterwards a lease isn't renewed. */
const longestLeaseMs = 90_000;
const looksEveryMs = 1_000;
/** Bytes that Redis takes beside the text of a record, and for a scope (measured). */
const [costOfItem, costOfScope] = [140, 600];

const over = "lease over";

export function createRedisAnswers(options: RedisAnswersOptions): KnownAnswers {
  const { redis, clock, maxBytes, leasedForMs = 6_000 } = options;
  const renewedEveryMs = leasedForMs / 3;
  /** Leases of this server's calls, with the time when each began. */
  const ownLeases = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  /** Leases that ended lately: a notice can arrive before the reply to an earlier script. */
  const endedLeases = new LRUCache<string, true>({ max: 1_000 });
  let timer: unknown = null;
  redis.listen(over, (lease) => wake(lease));

  function hold(lease: string): void {
    ownLeases.set(lease, clock.now());
    timer ??= clock.setTimeout(renew, renewedEveryMs);
  }

  function drop(lease: string): void {
    ownLeases.delete(lease);
    if (ownLeases.size > 0) return;
    clock.clearTimeout(timer);
    timer = null;
  }

  function renew(): void {
    timer = clock.setTimeout(renew, renewedEveryMs);
    for (const [lease, sinceMs] of ownLeases) if (clock.now() - sinceMs > longestLeaseMs) drop(lease);
    if (ownLeases.size > 0) {
      void redis.run(renewScript, { keys: ["lease "], args: [leasedForMs, ...ownLeases.keys()] });
    }
  }

  function wake(lease: string): void {
    endedLeases.set(lease, true);
    for (const end of waiting.get(lease) ?? []) end();
  }

  return {
    async find(scope, values, { lease, maxAgeMs }) {
      const name = nameOf(scope);
      const outcome = await redis.run(findScript, {
        keys: [`items ${name}`, `leased ${name}`, "lease "],
        args: [lease, Math.min(keptForMs, Math.floor(maxAgeMs)), leasedForMs, longestLeaseMs, ...values],
      });
      if (outcome.kind === "away") return null;
      const items = readFound(outcome.value as Reply, values.length, lease);
      if (items.some((item) => item.kind === "leased" && item.lease === lease)) hold(lease);
      return items;
    },
    async keep(scope, answer, lease) {
      const { query, body, askedAgoMs, fetchedAgoMs } = answer;
      const records = maxBytes > 0 ? readSearchRecords(body, query) : null;
      // An answer that can't be read isn't cached.
      if (records === null) return free(scope, query.values, lease);
      drop(lease);
      const name = nameOf(scope);
      const ages = [Math.ceil(askedAgoMs), Math.ceil(fetchedAgoMs)];
      const pairs = query.values.flatMap((value) => [value, records.of.get(value) ?? ""]);
      await redis.run(keepScript, {
        keys: ["items ", `leased ${name}`, "lease ", "items written", "items bytes", over],
        args: [lease, name, ...ages, maxBytes, keptForMs, costOfItem, costOfScope, records.around, ...pairs],
      });
      wake(lease);
    },
    free,
    changeOf(lease) {
      if (endedLeases.has(lease)) return Promise.resolve();
      return new Promise((resolve) => {
        const ends = waiting.get(lease) ?? new Set();
        const end = (): void => {
          clock.clearTimeout(look);
          ends.delete(end);
          if (ends.size === 0) waiting.delete(lease);
          resolve();
        };
        const look = clock.setTimeout(end, looksEveryMs);
        waiting.set(lease, ends.add(end));
      });
    },
  };

  async function free(scope: string, values: readonly string[], lease: string): Promise<void> {
    drop(lease);
    const keys = [`leased ${nameOf(scope)}`, "lease ", over];
    await redis.run(freeScript, { keys, args: [lease, ...values] });
    wake(lease);
  }
}

/** A digest, so that no key contains the name of a company or a store. */
function nameOf(scope: string): string {
  return digestOf(scope).slice(0, 22);
}

/** All other items are leased to the caller. Places count from 1. */
type Reply = readonly [
  around: string,
  known: readonly (readonly [place: number, askedAgoMs: number, fetchedAgoMs: number, record: string])[],
  ofOthers: readonly (readonly [lease: string, ...places: number[]])[],
];

function readFound([around, known, ofOthers]: Reply, count: number, own: string): readonly FoundItem[] {
  const items = Array.from({ length: count }, (): FoundItem => ({ kind: "leased", lease: own }));
  for (const [place, askedAgoMs, fetchedAgoMs, record] of known) {
    items[place - 1] = { kind: "known", record, around, askedAgoMs, fetchedAgoMs };
  }
  for (const [lease, ...places] of ofOthers) {
    for (const place of places) items[place - 1] = { kind: "leased", lease };
  }
  return items;
}
