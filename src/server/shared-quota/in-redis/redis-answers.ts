/**
 * Caches answers in Redis, for several servers. Each item's newest record is a plain key that expires. Another key says
 * that a call will bring the item, so that equal items cost one call whichever servers receive them. It goes shortly
 * after the answer is stored, or by itself if its server died. All times come from Redis's clock.
 */
import { digestOf } from "../../digest";
import { type Command, readTime, type Redis } from "../../redis/redis";
import type { FoundItem, KnownAnswers } from "../known-answers";
import { readSearchRecords } from "../search-format";

export interface RedisAnswersOptions {
  readonly redis: Pick<Redis, "send">;
  /** Limits all answers in Redis together. */
  readonly maxBytes: number;
  /** The longest time for which a dead server holds up others. */
  readonly claimedForMs?: number;
}

/** No caller accepts an older answer. */
const keptForMs = 86_400_000;
/** Time for others that looked before the answer was stored: they find the claim, and then the answer. */
const claimStaysMs = 1_000;
/** Bytes that Redis takes for a record beside its text (measured). */
const costOfItem = 400;

const writtenName = "answers written";
const bytesName = "answer bytes";
const away = Symbol("away");

export function createRedisAnswers(options: RedisAnswersOptions): KnownAnswers {
  const { redis, maxBytes, claimedForMs = 10_000 } = options;

  async function ask(...commands: readonly Command[]): Promise<readonly unknown[] | typeof away> {
    const outcome = await redis.send(commands);
    return outcome.kind === "replied" ? outcome.replies : away;
  }

  async function release(scope: string, values: readonly string[], claim: string): Promise<void> {
    const keys = namesOf("claim", scope, values);
    const claimed = await ask(["MGET", keys]);
    if (claimed === away) return;
    const holders = claimed[0] as readonly (string | null)[];
    const ownKeys = keys.filter((_, at) => readClaim(holders[at] ?? "").claim === claim);
    if (ownKeys.length > 0) await ask(["UNLINK", ownKeys]);
  }

  return {
    async find(scope, values, { claim, maxAgeMs }) {
      const ownClaim: FoundItem = { kind: "claimed", claim };
      if (maxAgeMs === 0) return values.map(() => ownClaim);
      const stored = await ask(["TIME", []], ["MGET", namesOf("item", scope, values)]);
      if (stored === away) return null;
      const nowMs = readTime(stored[0]);
      const texts = stored[1] as readonly (string | null)[];
      const items = texts.map((text) => knownItem(text, nowMs, maxAgeMs));
      const missing = values.filter((_, at) => items[at] === null);
      const claims = new Map<string, FoundItem>();
      if (missing.length > 0) {
        const since = `${nowMs} ${claim}`;
        const commands = namesOf("claim", scope, missing).map((name): Command => {
          return ["SET", [name], since, "NX", "GET", "PX", claimedForMs];
        });
        const holders = await ask(...commands);
        if (holders === away) return null;
        missing.forEach((value, at) => {
          const holder = readClaim((holders[at] as string | null) ?? since);
          // A call that began too long ago would bring an answer that is too old for this caller.
          const isUsable = nowMs - holder.sinceMs <= maxAgeMs;
          claims.set(value, isUsable ? { kind: "claimed", claim: holder.claim } : ownClaim);
        });
      }
      return values.map((value, at) => items[at] ?? claims.get(value) ?? ownClaim);
    },
    async keep(scope, answer, claim) {
      const { query, body, askedAgoMs, fetchedAgoMs } = answer;
      const { values } = query;
      const records = maxBytes > 0 ? readSearchRecords(body, query) : null;
      // An answer that can't be read isn't cached.
      if (records === null) return release(scope, values, claim);
      const before = await ask(["TIME", []], ["MGET", namesOf("item", scope, values)]);
      if (before === away) return;
      const nowMs = readTime(before[0]);
      const [askedAtMs, fetchedAtMs] = [nowMs - Math.ceil(askedAgoMs), nowMs - Math.ceil(fetchedAgoMs)];
      const texts = before[1] as readonly (string | null)[];
      // A record never replaces one that was requested later.
      const newer = values.filter((_, at) => readItem(texts[at] ?? "").askedAtMs <= askedAtMs);
      const names = namesOf("item", scope, newer);
      const written = newer.map((value) => {
        return `${askedAtMs} ${fetchedAtMs} ${records.around}\n${records.byValue.get(value) ?? ""}`;
      });
      const bytes = written.reduce((sum, text) => sum + costOfItem + Buffer.byteLength(text), 0);
      const counted = await ask(["INCRBY", [bytesName], bytes]);
      if (counted === away) return;
      // Each record's place among all bytes that were ever written. What lies too far behind goes.
      const end = Number(counted[0]);
      let place = end - bytes;
      const places = written.flatMap((text, at) => {
        const from = place;
        place += costOfItem + Buffer.byteLength(text);
        return [from, names[at] ?? ""];
      });
      const stored = await ask(
        ...written.map((text, at): Command => ["SET", [names[at] ?? ""], text, "PX", keptForMs]),
        ...(places.length > 0 ? [["ZADD", [writtenName], ...places] as Command] : []),
        ["PEXPIRE", [writtenName], keptForMs],
        ["PEXPIRE", [bytesName], keptForMs],
        ...namesOf("claim", scope, values).map((name): Command => ["PEXPIRE", [name], claimStaysMs]),
        ["ZRANGE", [writtenName], "-inf", end - maxBytes, "BYSCORE", "LIMIT", 0, 1_000],
      );
      if (stored === away) return;
      const oldest = stored.at(-1) as readonly string[];
      if (oldest.length > 0) await ask(["UNLINK", oldest], ["ZREM", [writtenName], ...oldest]);
    },
    release,
  };
}

/** A digest, so that no key contains the name of a company or a store. */
function namesOf(kind: "item" | "claim", scope: string, values: readonly string[]): readonly string[] {
  const digest = digestOf(scope).slice(0, 22);
  return values.map((value) => `${kind} ${digest} ${value}`);
}

/** Null if it isn't young enough. */
function knownItem(text: string | null, nowMs: number, maxAgeMs: number): FoundItem | null {
  if (text === null) return null;
  const { askedAtMs, fetchedAtMs, around, record } = readItem(text);
  const askedAgoMs = nowMs - askedAtMs;
  // An answer from the future comes from before the clock was set back.
  if (askedAgoMs < 0 || askedAgoMs > maxAgeMs) return null;
  return { kind: "known", record, around, askedAgoMs, fetchedAgoMs: nowMs - fetchedAtMs };
}

function readItem(text: string) {
  const [, askedAt = "0", fetchedAt = "0", around = "", record = ""] =
    /^(\d+) (\d+) (.*)\n(.*)$/.exec(text) ?? [];
  return { askedAtMs: Number(askedAt), fetchedAtMs: Number(fetchedAt), around, record };
}

function readClaim(text: string) {
  const [sinceMs, claim = ""] = text.split(" ");
  return { sinceMs: Number(sinceMs), claim };
}
