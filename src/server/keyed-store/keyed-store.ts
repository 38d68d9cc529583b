/**
 * Entries that expire: tokens of pages, sessions, sign-ins in progress. Each has a name, a text that everybody may read who
 * reads the store, and a secret that is sealed with a key of its owner and with its name. The store never keeps the key.
 * Two stores implement it: `in-memory` for a single server, `in-redis` for several. Callers get ages in place of times,
 * because servers have different clocks.
 */
import { seal, unseal } from "./sealed";

/** No method rejects. `away`: the store doesn't answer, and nobody knows whether it did what it was asked. */
export interface KeyedStore {
  /** Replaces an entry of the same name. */
  put(name: string, entry: NewEntry): Promise<"kept" | "away">;
  /** Counts as a use and as a try. `key` opens the secret. */
  get(name: string, key?: string): Promise<FoundEntry | Unknown | Away>;
  /** Changes parts of an entry; `unknown` when it no longer exists, or when its text isn't the expected one. */
  replace(name: string, change: EntryChange): Promise<"kept" | "unknown" | "away">;
  /** Of several servers that delete an entry, one gets `deleted`. */
  delete(name: string): Promise<"deleted" | "unknown" | "away">;
  list(index: string): Promise<{ readonly kind: "listed"; readonly entries: readonly ListedEntry[] } | Away>;
}

export interface NewEntry {
  readonly text: string;
  readonly secret: Secret;
  readonly lastsMs: number;
  /** Without a use for this long, it expires earlier. */
  readonly idleMs?: number;
  /** How often it can be found. */
  readonly tries?: number;
  /** When an index is full, the entry that expires first makes room. */
  readonly indexes: readonly EntryIndex[];
  /** Name of the entry without which this one is an orphan. */
  readonly parent?: string;
}

export interface Secret {
  readonly key: string;
  readonly text: string;
}

export interface EntryIndex {
  readonly name: string;
  readonly most: number;
}

export interface EntryChange {
  readonly expectedText?: string;
  readonly text?: string;
  /** Null removes it. */
  readonly secret?: Secret | null;
}

export interface ListedEntry {
  readonly text: string;
  readonly ageMs: number;
  readonly usedAgoMs: number;
  /** However often it is used. */
  readonly endsInMs: number;
}

export interface FoundEntry extends ListedEntry {
  readonly kind: "found";
  /** Null without the right key; empty when it was removed. */
  readonly secret: string | null;
  readonly isOrphan: boolean;
}

export interface Away {
  readonly kind: "away";
}
export interface Unknown {
  readonly kind: "unknown";
}

export function sealSecret(name: string, secret: Secret | null): Buffer {
  return secret === null ? Buffer.alloc(0) : seal(secret.key, name, secret.text);
}

export function openSecret(name: string, key: string | undefined, sealed: Buffer): string | null {
  if (sealed.length === 0) return "";
  return key === undefined ? null : unseal(key, name, sealed);
}
