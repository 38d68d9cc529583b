/**
 * Credentials that the user asked to be remembered: encrypted on this device with AES-GCM, under a key
 * that the browser keeps and does not give out. That keeps them from other people and from files;
 * it does not keep them from script of our own origin, and the pane says so. The session of who signed in lies here
 * as well, until its end, so that other workbooks of theirs need no sign-in of their own.
 *
 * What is stored is bound to the environment's id and addresses, those behind the server's relay included, so
 * that neither a changed list of environments nor a relay that leads elsewhere can have a secret or a token
 * sent to an address it was never typed for.
 */
import { type Credentials, type Environment, isSession } from "../domain/environment";

export interface CredentialVault {
  /** Null when nothing is stored, or when it cannot be opened for this environment. */
  load(environment: Environment): Promise<Credentials | null>;
  save(environment: Environment, credentials: Credentials): Promise<void>;
  forget(environmentId: string): Promise<void>;
  /** False where the browser stores things, but no key (some WebKit hosts refuse to clone one). */
  canKeep(): Promise<boolean>;
  /** Ids of environments with stored credentials. */
  ids(): Promise<readonly string[]>;
}

export interface VaultOptions {
  readonly indexedDB: IDBFactory;
  readonly crypto: Pick<Crypto, "subtle" | "getRandomValues">;
  /** The system's time: a session that has ended is not given out again. */
  readonly now: () => number;
}

type StoreName = "keys" | "credentials";

const keyName = "device";

/** A vault over the browser's database. Its calls reject where the browser refuses storage. */
export function createCredentialVault({ indexedDB, crypto, now }: VaultOptions): CredentialVault {
  /** One short transaction: encryption is asynchronous and would let a longer one lapse. */
  async function once<T>(store: StoreName, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const opening = indexedDB.open("inv-vault", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("keys" satisfies StoreName);
      opening.result.createObjectStore("credentials" satisfies StoreName);
    };
    const database = await settled(opening);
    try {
      const transaction = database.transaction(store, "readwrite");
      const result = await settled(work(transaction.objectStore(store)));
      await committed(transaction);
      return result;
    } finally {
      database.close();
    }
  }

  async function key(): Promise<CryptoKey> {
    const stored = await once("keys", (keys) => keys.get(keyName) as IDBRequest<CryptoKey | undefined>);
    if (stored) return stored;
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]);
    // Another pane may have made one meanwhile: the first one stored is everybody's.
    await once("keys", (keys) => keys.add(made, keyName)).catch(() => undefined);
    const kept = await once("keys", (keys) => keys.get(keyName) as IDBRequest<CryptoKey | undefined>);
    // What is encrypted with a key that is gone tomorrow would be lost without a word.
    if (!kept) throw new Error("The browser does not keep the key.");
    return kept;
  }

  return {
    load: async (environment) => {
      const sealed: unknown = await once("credentials", (entries) => entries.get(environment.id));
      if (!isSealed(sealed)) return null;
      try {
        const algorithm = { name: "AES-GCM", iv: sealed.iv, additionalData: binding(environment) };
        const open = await crypto.subtle.decrypt(algorithm, await key(), sealed.data);
        const credentials = readCredentials(JSON.parse(new TextDecoder().decode(open)));
        return credentials && isSession(credentials) && credentials.endsAtMs <= now() ? null : credentials;
      } catch {
        return null;
      }
    },
    save: async (environment, credentials) => {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const algorithm = { name: "AES-GCM", iv, additionalData: binding(environment) };
      const plain = new TextEncoder().encode(JSON.stringify(credentials));
      const data = await crypto.subtle.encrypt(algorithm, await key(), plain);
      await once("credentials", (entries) => entries.put({ iv, data }, environment.id));
    },
    forget: async (environmentId) => {
      await once("credentials", (entries) => entries.delete(environmentId));
    },
    canKeep: () =>
      key().then(
        () => true,
        () => false,
      ),
    ids: async () => {
      const keys = await once("credentials", (entries) => entries.getAllKeys());
      return keys.filter((entry) => typeof entry === "string");
    },
  };
}

function binding({ id, tokenUrl, searchUrl, eventsUrl, upstream }: Environment): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify([id, tokenUrl, searchUrl, eventsUrl, upstream ?? null]));
}

function isSealed(value: unknown): value is { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer } {
  return typeof value === "object" && value !== null && "iv" in value && "data" in value;
}

function readCredentials(value: unknown): Credentials | null {
  if (typeof value !== "object" || value === null) return null;
  const [session, person, endsAtMs] = ["session", "person", "endsAtMs"].map(
    (name) => Reflect.get(value, name) as unknown,
  );
  if (typeof session === "string" && typeof person === "string" && typeof endsAtMs === "number") {
    return { session, person, endsAtMs };
  }
  const consumerId: unknown = Reflect.get(value, "consumerId");
  const clientSecret: unknown = Reflect.get(value, "clientSecret");
  if (typeof consumerId !== "string" || typeof clientSecret !== "string") return null;
  return { consumerId, clientSecret };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The browser's database refused."));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The browser's database refused."));
  });
}
