/**
 * Credentials that the person asked INV to remember, and sessions until they end. They are encrypted on this
 * device with AES-GCM, under a key that the browser doesn't export. This protects them from other people and
 * in files, but not from scripts of our own origin, as the pane tells people.
 * The encryption is bound to the environment's ID and addresses. So a secret never goes to an address that it wasn't typed for,
 * even if the list of environments changes. Where a relay sends it is its administrator's choice.
 */
import { type Credentials, type Environment, isSession } from "../domain/environment";

export interface CredentialVault {
  /** Returns null if nothing is stored, or if it can't be decrypted for this environment. */
  load(environment: Environment): Promise<Credentials | null>;
  save(environment: Environment, credentials: Credentials): Promise<void>;
  forget(environmentId: string): Promise<void>;
  /** Returns false if the browser can't store a key. Some WebKit hosts refuse to clone one. */
  canKeep(): Promise<boolean>;
  ids(): Promise<readonly string[]>;
}

export interface VaultOptions {
  readonly indexedDB: IDBFactory;
  readonly crypto: Pick<Crypto, "subtle" | "getRandomValues">;
  /** Returns the system time. The vault returns no session that has ended. */
  readonly now: () => number;
}

type StoreName = "keys" | "credentials";

const keyName = "device";

/** Creates a vault in the browser's database. Its calls reject if the browser refuses storage. */
export function createCredentialVault({ indexedDB, crypto, now }: VaultOptions): CredentialVault {
  /**
   * Runs one request in its own short transaction. A longer transaction would end while INV awaits the
   * encryption.
   */
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
    const newKey = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]);
    // Another pane may have stored a key meanwhile. All panes use the first one.
    await once("keys", (keys) => keys.add(newKey, keyName)).catch(() => undefined);
    const storedKey = await once("keys", (keys) => keys.get(keyName) as IDBRequest<CryptoKey | undefined>);
    // Without the key, the credentials would be lost at the next start.
    if (!storedKey) throw new Error("The browser doesn't keep the key.");
    return storedKey;
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

function binding({ id, tokenUrl, searchUrl, eventsUrl }: Environment): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify([id, tokenUrl, searchUrl, eventsUrl]));
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
