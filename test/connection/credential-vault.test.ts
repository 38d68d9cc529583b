/** The vault returns what it remembers, and nobody can read what it stores. */
import { IDBFactory } from "fake-indexeddb";
import { createCredentialVault } from "../../src/connection/credential-vault";
import { anEnvironment } from "./environments";

const environment = anEnvironment("production", "production");
const credentials = { consumerId: "consumer-4711", clientSecret: "very-secret-0815" };

let nowMs = 1_795_000_000_000;

function vaultOver(indexedDB: IDBFactory) {
  return createCredentialVault({ indexedDB, crypto: globalThis.crypto, now: () => nowMs });
}

async function everythingStored(indexedDB: IDBFactory): Promise<{ keys: unknown[]; values: unknown[] }> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
  const found = { keys: [] as unknown[], values: [] as unknown[] };
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      found.keys.push(...(await done(objects.getAllKeys())));
      found.values.push(...((await done(objects.getAll())) as unknown[]));
    }
    database.close();
  }
  return found;
}

function bytesOf(value: unknown): string {
  const texts: string[] = [];
  const visit = (part: unknown): void => {
    if (ArrayBuffer.isView(part)) texts.push(Buffer.from(part.buffer).toString("latin1"));
    else if (Object.prototype.toString.call(part) === "[object ArrayBuffer]") {
      texts.push(Buffer.from(part as ArrayBuffer).toString("latin1"));
    } else if (typeof part === "object" && part !== null) Object.values(part).forEach(visit);
    else texts.push(String(part));
  };
  visit(value);
  return texts.join("\n");
}

describe("remembered credentials", () => {
  it("return in a later session", async () => {
    const indexedDB = new IDBFactory();
    await vaultOver(indexedDB).save(environment, credentials);
    expect(await vaultOver(indexedDB).load(environment)).toEqual(credentials);
    expect(await vaultOver(indexedDB).ids()).toEqual(["production"]);
  });

  it("leave nothing readable in the browser's database", async () => {
    const indexedDB = new IDBFactory();
    await vaultOver(indexedDB).save(environment, credentials);
    const { keys, values } = await everythingStored(indexedDB);
    expect(values.length).toBeGreaterThanOrEqual(2);
    const stored = bytesOf([keys, values]);
    expect(stored).not.toContain(credentials.consumerId);
    expect(stored).not.toContain(credentials.clientSecret);
  });

  it("are encrypted with a key that the browser doesn't reveal", async () => {
    const indexedDB = new IDBFactory();
    await vaultOver(indexedDB).save(environment, credentials);
    const { values } = await everythingStored(indexedDB);
    const key = values.find((value) => Object.prototype.toString.call(value) === "[object CryptoKey]");
    expect(key).toMatchObject({ extractable: false });
    await expect(crypto.subtle.exportKey("raw", key as CryptoKey)).rejects.toThrow();
  });

  it.each(["tokenUrl", "searchUrl", "eventsUrl"])(
    "are not given to an environment with another %s",
    async (url) => {
      const indexedDB = new IDBFactory();
      await vaultOver(indexedDB).save(environment, credentials);
      const moved = { ...environment, [url]: "https://elsewhere.example/" };
      expect(await vaultOver(indexedDB).load(moved)).toBeNull();
    },
  );

  it("are replaced when others are saved, and deleted when forgotten", async () => {
    const indexedDB = new IDBFactory();
    const vault = vaultOver(indexedDB);
    await vault.save(environment, credentials);
    await vault.save(environment, { ...credentials, clientSecret: "newer" });
    expect(await vault.load(environment)).toMatchObject({ clientSecret: "newer" });
    await vault.forget(environment.id);
    expect(await vault.load(environment)).toBeNull();
    expect(await vault.ids()).toEqual([]);
  });

  it("of two panes that save at once use one key, and both can be read", async () => {
    const indexedDB = new IDBFactory();
    const sandbox = { ...environment, id: "sandbox" };
    await Promise.all([
      vaultOver(indexedDB).save(environment, credentials),
      vaultOver(indexedDB).save(sandbox, { ...credentials, consumerId: "other" }),
    ]);
    expect(await vaultOver(indexedDB).load(environment)).toEqual(credentials);
    expect(await vaultOver(indexedDB).load(sandbox)).toMatchObject({ consumerId: "other" });
  });

  it("don't exist if nothing was saved", async () => {
    expect(await vaultOver(new IDBFactory()).load(environment)).toBeNull();
  });
});

describe("a browser that stores things but no key", () => {
  /** As in some WebKit hosts, a key cannot be cloned into the database. */
  function refusingKeys(): IDBFactory {
    const indexedDB = new IDBFactory();
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (...parameters) => {
      const request = open(...parameters);
      request.addEventListener("success", () => {
        const transaction = request.result.transaction.bind(request.result);
        request.result.transaction = (...names) => {
          const begun = transaction(...names);
          const objectStore = begun.objectStore.bind(begun);
          begun.objectStore = (name) => {
            const store = objectStore(name);
            const refuse = () => {
              throw new DOMException("The object can not be cloned.", "DataCloneError");
            };
            if (name === "keys") Object.assign(store, { add: refuse, put: refuse });
            return store;
          };
          return begun;
        };
      });
      return request;
    };
    return indexedDB;
  }

  it("says that it can't remember, and stores nothing that can't be decrypted", async () => {
    const vault = vaultOver(refusingKeys());
    expect(await vault.canKeep()).toBe(false);
    await expect(vault.save(environment, credentials)).rejects.toThrow("doesn't keep the key");
    expect(await vault.ids()).toEqual([]);
  });

  it("differs from a vault that can remember", async () => {
    expect(await vaultOver(new IDBFactory()).canKeep()).toBe(true);
  });
});

describe("the session of a signed-in person", () => {
  const session = { session: "session-of-jane-4711", person: "Jane Doe", endsAtMs: nowMs + 3_600_000 };

  it("is returned until its end, and is stored encrypted like a secret", async () => {
    const indexedDB = new IDBFactory();
    const vault = vaultOver(indexedDB);
    await vault.save(environment, session);
    expect(await vault.load(environment)).toEqual(session);
    expect(JSON.stringify(await everythingStored(indexedDB))).not.toContain("session-of-jane");
    const before = nowMs;
    nowMs += 3_600_000;
    expect(await vault.load(environment)).toBeNull();
    nowMs = before;
  });
});
