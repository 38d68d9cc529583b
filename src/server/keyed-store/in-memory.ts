/** Stores entries in this process's memory, for a single server. They are lost when the process ends. */
import { unguessable } from "../digest";
import type { SteadyClock } from "../steady-clock";
import {
  type KeyedStore,
  type ListedEntry,
  type NewEntry,
  openSecret,
  replacedForMs,
  sealSecret,
} from "./keyed-store";

interface Entry extends Pick<NewEntry, "idleMs" | "parent"> {
  indexes: NewEntry["indexes"];
  text: string;
  sealed: Buffer;
  triesLeft: number;
  usedAtMs: number;
  readonly madeAtMs: number;
  readonly endsAtMs: number;
}

/** Entries that were replaced and haven't expired yet. */
const replacedIndex = { name: "replaced", maxEntries: 10_000 };

export function createMemoryStore(clock: Pick<SteadyClock, "now">): KeyedStore {
  const entries = new Map<string, Entry>();
  /** Names of entries, least recently used first. */
  const indexes = new Map<string, Set<string>>();

  /** When each claim ends, oldest claim first. */
  const claims = new Map<string, number>();

  const sharedTexts = new Map<string, string>();

  function liveEntry(name: string): Entry | null {
    const entry = entries.get(name);
    if (entry === undefined) return null;
    const { endsAtMs, usedAtMs, idleMs = Infinity } = entry;
    if (clock.now() < Math.min(endsAtMs, usedAtMs + idleMs)) return entry;
    remove(name);
    return null;
  }

  function remove(name: string): boolean {
    leaveIndexes(name);
    return entries.delete(name);
  }

  function leaveIndexes(name: string): void {
    for (const { name: index } of entries.get(name)?.indexes ?? []) {
      indexes.get(index)?.delete(name);
      if (indexes.get(index)?.size === 0) indexes.delete(index);
    }
  }

  function retire(name: string): void {
    const entry = liveEntry(name);
    if (entry === null) return;
    remove(name);
    makeRoom(replacedIndex.name, replacedIndex.maxEntries);
    const endsAtMs = Math.min(entry.endsAtMs, clock.now() + replacedForMs);
    const retired = { ...entry, indexes: [replacedIndex], endsAtMs };
    entries.set(name, retired);
    moveToEnd(name, retired);
  }

  function moveToEnd(name: string, { indexes: all }: Entry): void {
    for (const { name: index } of all) {
      const names = indexes.get(index) ?? new Set();
      names.delete(name);
      indexes.set(index, names.add(name));
    }
  }

  function makeRoom(index: string, maxEntries: number): void {
    const names = indexes.get(index) ?? new Set();
    for (const oldest of names) {
      if (liveEntry(oldest) === null) continue;
      if (names.size < maxEntries) return;
      remove(oldest);
    }
  }

  function listedEntry({ text, madeAtMs, usedAtMs, endsAtMs }: Entry): ListedEntry {
    const nowMs = clock.now();
    return { text, ageMs: nowMs - madeAtMs, usedAgoMs: nowMs - usedAtMs, endsInMs: endsAtMs - nowMs };
  }

  return {
    put(name, { secret, lastsMs, replaces, tries = Infinity, ...rest }) {
      remove(name);
      if (replaces !== undefined) retire(replaces);
      for (const index of rest.indexes) makeRoom(index.name, index.maxEntries);
      const nowMs = clock.now();
      const times = { madeAtMs: nowMs, usedAtMs: nowMs, endsAtMs: nowMs + lastsMs };
      const entry = { ...rest, ...times, sealed: sealSecret(name, secret), triesLeft: tries };
      entries.set(name, entry);
      moveToEnd(name, entry);
      return Promise.resolve("kept");
    },
    get(name, key) {
      const entry = liveEntry(name);
      if (entry === null) return Promise.resolve({ kind: "unknown" });
      entry.usedAtMs = clock.now();
      moveToEnd(name, entry);
      entry.triesLeft -= 1;
      if (entry.triesLeft === 0) remove(name);
      const isOrphan = entry.parent !== undefined && liveEntry(entry.parent) === null;
      const secret = openSecret(name, key, entry.sealed);
      return Promise.resolve({ kind: "found", ...listedEntry(entry), secret, isOrphan });
    },
    replace(name, { text, secret, indexes: others }) {
      const entry = liveEntry(name);
      if (entry === null) return Promise.resolve("unknown");
      if (others !== undefined) {
        leaveIndexes(name);
        for (const index of others) makeRoom(index.name, index.maxEntries);
        entry.indexes = others;
        moveToEnd(name, entry);
      }
      entry.text = text ?? entry.text;
      if (secret !== undefined) entry.sealed = sealSecret(name, secret);
      return Promise.resolve("kept");
    },
    delete(name) {
      const isLive = liveEntry(name) !== null;
      remove(name);
      return Promise.resolve(isLive ? "deleted" : "unknown");
    },
    claim(name, lastsMs) {
      const nowMs = clock.now();
      if ((claims.get(name) ?? 0) > nowMs) return Promise.resolve("taken");
      claims.delete(name);
      claims.set(name, nowMs + lastsMs);
      // The oldest claims are the first to end, except for the few that last longer than others.
      for (const [claimed, untilMs] of claims) {
        if (untilMs > nowMs) break;
        claims.delete(claimed);
      }
      return Promise.resolve("claimed");
    },
    shared(name) {
      const text = sharedTexts.get(name) ?? unguessable();
      sharedTexts.set(name, text);
      return Promise.resolve({ kind: "shared", text });
    },
    list(index) {
      const live = [...(indexes.get(index) ?? [])].flatMap((name) => liveEntry(name) ?? []);
      return Promise.resolve({ kind: "listed", entries: live.map(listedEntry) });
    },
  };
}
