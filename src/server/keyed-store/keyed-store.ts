/**
 * A store of entries that expire: page tokens, sessions, sign-ins in progress. Each entry has a name, a text
 * that any reader of the store can see, and a secret. The secret is encrypted with its owner's key and bound
 * to the entry's name. The store never keeps the key. `in-memory` implements it for a single server,
 * `in-redis` for several. Callers get ages instead of times, because servers' clocks differ.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export const replacedForMs = 10_000;
export const sharedForMs = 86_400_000;

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * No method rejects. `away` means that the store doesn't answer, and that the operation may or may not have
 * run.
 */
export interface KeyedStore {
  /** Replaces an entry of the same name. */
  put(name: string, entry: NewEntry): Promise<"kept" | "away">;
  /** Counts as a use and as a try. `key` decrypts the secret. */
  get(name: string, key?: string): Promise<FoundEntry | Unknown | Away>;
  /** Changes parts of an entry. Returns `unknown` if the entry doesn't exist. */
  replace(name: string, change: EntryChange): Promise<"kept" | "unknown" | "away">;
  /** If several servers delete the same entry, only one gets `deleted`. */
  delete(name: string): Promise<"deleted" | "unknown" | "away">;
  /** Only one caller gets `claimed`, until the time is over. */
  claim(name: string, lastsMs: number): Promise<"claimed" | "taken" | "away">;
  /** Returns a random text that all servers with this store share, until nobody has asked for it for a day. */
  shared(name: string): Promise<{ readonly kind: "shared"; readonly text: string } | Away>;
  list(index: string): Promise<{ readonly kind: "listed"; readonly entries: readonly ListedEntry[] } | Away>;
}

export interface NewEntry {
  readonly text: string;
  readonly secret: Secret;
  readonly lastsMs: number;
  /** The entry expires earlier if it isn't used for this long. */
  readonly idleMs?: number | undefined;
  /** How many times the entry can be read. */
  readonly tries?: number | undefined;
  /** When an index is full, the entry that expires first is evicted. */
  readonly indexes: readonly EntryIndex[];
  /** Name of an entry that leaves its indexes, and expires after ten seconds: requests with it may be on their way. */
  readonly replaces?: string | undefined;
  /** Name of the entry that this one depends on. Without it, this entry is an orphan. */
  readonly parent?: string | undefined;
}

export interface Secret {
  readonly key: string;
  readonly text: string;
}

interface EntryIndex {
  readonly name: string;
  readonly maxEntries: number;
}

interface EntryChange {
  readonly text?: string;
  /** Null removes the secret. */
  readonly secret?: Secret | null;
  /** Instead of those it was in. */
  readonly indexes?: readonly EntryIndex[];
}

export interface ListedEntry {
  readonly text: string;
  readonly ageMs: number;
  readonly usedAgoMs: number;
  /** Time left even if the entry stays in use. */
  readonly endsInMs: number;
}

interface FoundEntry extends ListedEntry {
  readonly kind: "found";
  /** Null without the right key. Empty if the secret was removed. */
  readonly secret: string | null;
  readonly isOrphan: boolean;
}

export interface Away {
  readonly kind: "away";
}
export interface Unknown {
  readonly kind: "unknown";
}

/**
 * Encrypts a secret so that only the owner of the key can read it. A secret that was encrypted under one name
 * can't be decrypted under another. A removed secret is empty.
 */
export function sealSecret(name: string, secret: Secret | null): Buffer {
  if (secret === null) return Buffer.alloc(0);
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, derivedKey(secret.key, name), iv);
  const sealed = Buffer.concat([sealing.update(secret.text, "utf8"), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]);
}

/** Returns null for a different key, a different name, or a modified text. */
export function openSecret(name: string, key: string | undefined, sealed: Buffer): string | null {
  if (sealed.length === 0) return "";
  if (key === undefined) return null;
  try {
    const opening = createDecipheriv(cipher, derivedKey(key, name), sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    const text = opening.update(sealed.subarray(ivBytes + tagBytes));
    return Buffer.concat([text, opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function derivedKey(key: string, name: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `inv ${name}`, 32));
}
