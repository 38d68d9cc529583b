/**
 * Known answers where several servers share them, and who is bringing what. One script looks up all items of a call and leases
 * those that nobody has and nobody brings, so that equal items cost one call at whichever servers they are asked for.
 * A lease lasts some seconds and is renewed as long as the call is under way; an answer is kept before it is told that
 * the lease is over; and who waits looks by itself as well. So a lost notice or a dead server costs seconds.
 * Records are kept item by item, as JSON: read once when they come, and not again by whoever takes them.
 */
import { LRUCache } from "lru-cache";
import { digestOf } from "../../digest";
import type { Redis } from "../../redis/redis";
import { freeScript, findScript, keepScript, renewScript, wantScript } from "./answer-scripts";
import type { SteadyClock } from "../clock";
import type { FetchedAnswer, FoundItem, KnownAnswers } from "../known-answers";
import { readSearchRecords } from "../search-records";

export interface RedisAnswersOptions {
  readonly redis: Pick<Redis, "run" | "listen">;
  readonly clock: Pick<SteadyClock, "now" | "setTimeout" | "clearTimeout">;
  /** Of all answers in Redis; the oldest go first. */
  readonly maxBytes: number;
  /** A server that died holds up nobody for longer; leases are renewed three times as often. */
  readonly leasedForMs?: number;
}

/** Nobody allows an answer to be older. */
const keptForMs = 86_400_000;
/** Beyond the longest call and its turn no lease is renewed. */
const longestLeaseMs = 90_000;
const looksEveryMs = 1_000;
/** About what Redis takes beside the bytes of a record, and of an answer. */
const [costOfItem, costOfAnswer] = [210, 700];

const [over, wanted] = ["lease over", "lease wanted"];

export function createRedisAnswers(options: RedisAnswersOptions): KnownAnswers {
  const { redis, clock, maxBytes, leasedForMs = 6_000 } = options;
  const renewedEveryMs = leasedForMs / 3;
  /** Of this server's calls, with the time when each began. */
  const held = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  /** Notices come another way than replies, and may come before them. */
  const lastOver = new LRUCache<string, true>({ max: 1_000 });
  let timer: unknown = null;
  redis.listen(over, (lease) => wake(lease));

  function hold(lease: string): void {
    held.set(lease, clock.now());
    timer ??= clock.setTimeout(renew, renewedEveryMs);
  }

  function letGo(lease: string): void {
    held.delete(lease);
    if (held.size > 0) return;
    clock.clearTimeout(timer);
    timer = null;
  }

  function renew(): void {
    timer = clock.setTimeout(renew, renewedEveryMs);
    for (const [lease, sinceMs] of held) if (clock.now() - sinceMs > longestLeaseMs) letGo(lease);
    if (held.size > 0) void redis.run(renewScript, { keys: ["lease "], args: [leasedForMs, ...held.keys()] });
  }

  function wake(lease: string): void {
    lastOver.set(lease, true);
    for (const end of waiting.get(lease) ?? []) end();
  }

  return {
    async find(scope, values, { lease, maxAgeMs }) {
      const name = nameOf(scope);
      const outcome = await redis.run(findScript, {
        keys: [`newest ${name}`, `leased ${name}`, "answer ", "lease "],
        args: [lease, Math.min(keptForMs, Math.floor(maxAgeMs)), leasedForMs, longestLeaseMs, ...values],
      });
      if (outcome.kind === "away") return outcome;
      const items = readFound(outcome.value, values.length, lease);
      if (items.some((item) => item.kind === "leased" && item.lease === lease)) hold(lease);
      return { kind: "found", items };
    },
    async keep(scope, answer, lease) {
      letGo(lease);
      const { values } = answer.query;
      const pairs = maxBytes > 0 ? pairsOf(answer) : null;
      // One that cannot be read is known to nobody.
      if (pairs === null) return (await free(scope, values, lease)) === "freed" ? "kept" : "away";
      const name = nameOf(scope);
      const bytes = pairs.reduce(
        (sum, text) => sum + Buffer.byteLength(text),
        costOfAnswer + costOfItem * values.length,
      );
      const ages = [Math.ceil(answer.askedAgoMs), Math.ceil(answer.fetchedAgoMs)];
      const outcome = await redis.run(keepScript, {
        keys: [
          `newest ${name}`,
          `leased ${name}`,
          "answer ",
          "lease ",
          "answers",
          "answers bytes",
          over,
          "newest ",
        ],
        args: [lease, name, ...ages, bytes, maxBytes, keptForMs, ...pairs],
      });
      wake(lease);
      return outcome.kind === "ran" ? "kept" : "away";
    },
    free,
    changeOf(lease, { person, isEdit }) {
      if (lastOver.has(lease)) return Promise.resolve();
      // Nobody waits for it, and it is said again at the next look.
      if (isEdit) void redis.run(wantScript, { keys: [wanted], args: [`${lease} ${person}`] });
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
    onEdit(listener) {
      redis.listen(wanted, (notice) => {
        const [lease = "", person = ""] = notice.split(" ");
        listener(lease, person);
      });
    },
  };

  async function free(scope: string, values: readonly string[], lease: string): Promise<"freed" | "away"> {
    letGo(lease);
    const keys = [`leased ${nameOf(scope)}`, "lease ", over];
    const outcome = await redis.run(freeScript, { keys, args: [lease, ...values] });
    wake(lease);
    return outcome.kind === "ran" ? "freed" : "away";
  }
}

/** No company's and no store's name is in a key. */
function nameOf(scope: string): string {
  return digestOf(scope).slice(0, 22);
}

/** What the answer says around its records, then each value and its record; null where it is not whole. */
function pairsOf({ body, query }: FetchedAnswer): readonly string[] | null {
  const records = readSearchRecords(body, query);
  if (records === null) return null;
  return [records.around, ...query.values.flatMap((value) => [value, records.of.get(value) ?? ""])];
}

/** Records by the answers they come from, and leases, each with the places of their items; what is in neither is leased now. */
type Reply = readonly [
  readonly (readonly [
    around: string,
    askedAgoMs: number,
    fetchedAgoMs: number,
    ...rest: (number | string)[],
  ])[],
  readonly (readonly [lease: string, ...places: number[]])[],
];

function readFound(value: unknown, count: number, own: string): readonly FoundItem[] {
  const [answers, leases] = value as Reply;
  const items = Array.from({ length: count }, (): FoundItem => ({ kind: "leased", lease: own }));
  for (const [around, askedAgoMs, fetchedAgoMs, ...rest] of answers) {
    for (let at = 0; at + 1 < rest.length; at += 2) {
      const record = String(rest[at + 1]);
      items[Number(rest[at]) - 1] = { kind: "known", record, around, askedAgoMs, fetchedAgoMs };
    }
  }
  for (const [lease, ...places] of leases) {
    for (const place of places) items[place - 1] = { kind: "leased", lease };
  }
  return items;
}
