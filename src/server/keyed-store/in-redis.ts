/**
 * Stores entries in Redis, where several servers share them. An entry is a plain key that expires. An index is a sorted set
 * of entry names by expiry time. All times come from Redis's clock. Commands of other servers may run between those of one
 * operation, so each step alone leaves nothing wrong: a name without its entry, or an entry too few in a full index.
 */
import { z } from "zod";
import { parsedJson } from "../../domain/json";
import { unguessable } from "../digest";
import { type Command, readTime, type Redis } from "../redis/redis";
import {
  type KeyedStore,
  type ListedEntry,
  type NewEntry,
  openSecret,
  replacedForMs,
  sealSecret,
  sharedForMs,
} from "./keyed-store";

const storedEntry = z.object({
  text: z.string(),
  /** Base64. */
  sealed: z.string(),
  madeAtMs: z.number(),
  endsAtMs: z.number(),
  indexes: z.array(z.string()),
  idleMs: z.number().optional(),
  tries: z.number().optional(),
  parent: z.string().optional(),
});
type StoredEntry = Readonly<z.infer<typeof storedEntry>>;

const triesName = (name: string): string => `tries ${name}`;

export function createRedisStore(redis: Pick<Redis, "send">): KeyedStore {
  /** Null if Redis is away. */
  async function ask(...commands: readonly Command[]): Promise<readonly unknown[] | null> {
    if (commands.length === 0) return [];
    const outcome = await redis.send(commands);
    return outcome.kind === "replied" ? outcome.replies : null;
  }

  /** Deletes the entries that had to leave an index. */
  async function unlinkEvicted(replies: readonly unknown[]): Promise<"kept" | "away"> {
    const evicted = replies.flatMap((reply) => (Array.isArray(reply) ? (reply as string[]) : []));
    return evicted.length === 0 || (await ask(["UNLINK", evicted])) !== null ? "kept" : "away";
  }

  return {
    async put(name, { text, secret, lastsMs, idleMs, tries, indexes, parent, replaces }) {
      const timed = await ask(
        ["TIME", []],
        ...(replaces === undefined ? [] : [["GET", [replaces]] as const]),
      );
      if (timed === null) return "away";
      const replaced = readEntry(timed[1]);
      const madeAtMs = readTime(timed[0]);
      const endsAtMs = madeAtMs + Math.round(lastsMs);
      const entry: StoredEntry = {
        text,
        sealed: sealSecret(name, secret).toString("base64"),
        madeAtMs,
        endsAtMs,
        indexes: indexes.map((index) => index.name),
        idleMs,
        tries,
        parent,
      };
      const shortMs = Math.round(Math.min(idleMs ?? Infinity, lastsMs));
      const found = await ask(
        ["SET", [name], JSON.stringify(entry), "PX", shortMs],
        ["UNLINK", [triesName(name)]],
        ...(replaces === undefined || replaced === null ? [] : replacementOf(replaces, replaced)),
        ...joinOf(name, { indexes, nowMs: madeAtMs, shortMs, lastsMs: Math.round(lastsMs) }),
      );
      return found === null ? "away" : unlinkEvicted(found);
    },
    async get(name, key) {
      const found = await ask(["TIME", []], ["GET", [name]]);
      if (found === null) return { kind: "away" };
      const [nowMs, entry] = [readTime(found[0]), readEntry(found[1])];
      if (entry === null || nowMs >= entry.endsAtMs) return { kind: "unknown" };
      const { idleMs, tries, parent, indexes } = entry;
      const used = await ask(
        ...(tries === undefined ? [] : triesOf(name, entry.endsAtMs - nowMs)),
        ...(idleMs === undefined ? [] : useOf(name, { idleMs, nowMs, indexes })),
        ...(parent === undefined ? [] : [["EXISTS", [parent]] as const]),
      );
      if (used === null) return { kind: "away" };
      const tried = tries === undefined ? 0 : Number(used[0]);
      if (tries !== undefined && tried >= tries) await ask(["UNLINK", [name]]);
      if (tries !== undefined && tried > tries) return { kind: "unknown" };
      return {
        kind: "found",
        ...listedEntry(entry, nowMs, 0),
        secret: openSecret(name, key, Buffer.from(entry.sealed, "base64")),
        isOrphan: parent !== undefined && used.at(-1) === 0,
      };
    },
    async replace(name, { text, secret, indexes }) {
      const found = await ask(["GET", [name]], ["TIME", []]);
      if (found === null) return "away";
      const entry = readEntry(found[0]);
      if (entry === null) return "unknown";
      const changed = {
        ...entry,
        ...(text !== undefined && { text }),
        ...(secret !== undefined && { sealed: sealSecret(name, secret).toString("base64") }),
        ...(indexes !== undefined && { indexes: indexes.map((index) => index.name) }),
      };
      // Only if it still exists: an entry that was deleted meanwhile must not come back.
      const kept = await ask(["SET", [name], JSON.stringify(changed), "XX", "KEEPTTL"]);
      if (kept === null) return "away";
      if (kept[0] === null || indexes === undefined) return kept[0] === null ? "unknown" : "kept";
      const nowMs = readTime(found[1]);
      const leftMs = Math.max(1, entry.endsAtMs - nowMs);
      const moved = await ask(
        ...entry.indexes.map((index): Command => ["ZREM", [index], name]),
        ...joinOf(name, {
          indexes,
          nowMs,
          shortMs: Math.min(entry.idleMs ?? Infinity, leftMs),
          lastsMs: leftMs,
        }),
      );
      return moved === null ? "away" : unlinkEvicted(moved);
    },
    async delete(name) {
      const found = await ask(["GETDEL", [name]]);
      if (found === null) return "away";
      const entry = readEntry(found[0]);
      if (entry === null) return "unknown";
      await ask(...entry.indexes.map((index): Command => ["ZREM", [index], name]));
      return "deleted";
    },
    async claim(name, lastsMs) {
      const claimed = await ask(["SET", [name], 1, "NX", "PX", Math.round(lastsMs)]);
      if (claimed === null) return "away";
      return claimed[0] === null ? "taken" : "claimed";
    },
    async shared(name) {
      const found = await ask(
        ["SET", [name], unguessable(), "NX", "PX", sharedForMs],
        ["GET", [name]],
        ["PEXPIRE", [name], sharedForMs],
      );
      return found === null ? { kind: "away" } : { kind: "shared", text: String(found[1]) };
    },
    async list(index) {
      const found = await ask(["TIME", []], ["ZRANGE", [index], 0, -1]);
      if (found === null) return { kind: "away" };
      const [nowMs, names] = [readTime(found[0]), found[1] as readonly string[]];
      const stored = await ask(
        ...names.flatMap((name): Command[] => [
          ["GET", [name]],
          ["PTTL", [name]],
        ]),
      );
      if (stored === null) return { kind: "away" };
      const entries = names.flatMap((_, at): ListedEntry[] => {
        const entry = readEntry(stored[2 * at]);
        if (entry === null || nowMs >= entry.endsAtMs) return [];
        const { idleMs } = entry;
        const usedAgoMs =
          idleMs === undefined ? nowMs - entry.madeAtMs : Math.max(0, idleMs - Number(stored[2 * at + 1]));
        return [listedEntry(entry, nowMs, usedAgoMs)];
      });
      return { kind: "listed", entries };
    },
  };
}

/** Adds an entry to indexes. One of the replies lists the names that had to leave each. */
function joinOf(
  name: string,
  times: {
    readonly indexes: NewEntry["indexes"];
    readonly nowMs: number;
    readonly shortMs: number;
    readonly lastsMs: number;
  },
): readonly Command[] {
  const { indexes, nowMs, shortMs, lastsMs } = times;
  return indexes.flatMap(({ name: index, maxEntries }): Command[] => [
    ["ZREM", [index], name],
    ["ZREMRANGEBYSCORE", [index], "-inf", nowMs],
    // All but those that expire last go, so that the new one has room.
    ["ZRANGE", [index], 0, -maxEntries],
    ["ZREMRANGEBYRANK", [index], 0, -maxEntries],
    ["ZADD", [index], nowMs + shortMs, name],
    // An index lasts as long as any of its entries.
    ["PEXPIRE", [index], lastsMs, "NX"],
    ["PEXPIRE", [index], lastsMs, "GT"],
  ]);
}

function replacementOf(name: string, { indexes }: StoredEntry): readonly Command[] {
  return [
    ["PEXPIRE", [name], replacedForMs, "LT"],
    ...indexes.map((index): Command => ["ZREM", [index], name]),
  ];
}

function triesOf(name: string, lastsMs: number): readonly Command[] {
  return [
    ["INCR", [triesName(name)]],
    ["PEXPIRE", [triesName(name)], lastsMs],
  ];
}

/** The entry expires `idleMs` after its last use. Its own end is earlier at times, so readers compare that too. */
function useOf(
  name: string,
  use: { readonly idleMs: number; readonly nowMs: number; readonly indexes: readonly string[] },
): readonly Command[] {
  const { idleMs, nowMs, indexes } = use;
  return [
    ["PEXPIRE", [name], Math.round(idleMs)],
    ...indexes.map((index): Command => ["ZADD", [index], "XX", nowMs + Math.round(idleMs), name]),
  ];
}

/** A value that is no entry, such as one that somebody has typed into Redis, counts as missing. */
function readEntry(reply: unknown): StoredEntry | null {
  const read = storedEntry.safeParse(typeof reply === "string" ? parsedJson(reply) : null);
  return read.success ? read.data : null;
}

function listedEntry(
  { text, madeAtMs, endsAtMs }: StoredEntry,
  nowMs: number,
  usedAgoMs: number,
): ListedEntry {
  return { text, ageMs: nowMs - madeAtMs, usedAgoMs, endsInMs: endsAtMs - nowMs };
}
