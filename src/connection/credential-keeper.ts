/**
 * Keeps the credentials of this session: typed ones in memory, remembered ones also in the vault.
 * Invariant: however long the vault takes, the latest request for an environment wins, and forgotten
 * credentials are never used or stored again.
 */
import {
  type Credentials,
  type Environment,
  type EnvironmentEntry,
  isConfigured,
  isSession,
  type SupplierCredentials,
} from "../domain/environment";
import type { CredentialVault } from "./credential-vault";
import { createTaskQueue } from "../domain/task-queue";

export function createCredentialKeeper(vault: CredentialVault | null) {
  const inMemory = new Map<string, Credentials>();
  /**
   * Counts how often an environment was forgotten, so that a read that began earlier isn't used afterwards.
   */
  const forgotten = new Map<string, number>();
  const enqueue = createTaskQueue();
  let list: readonly EnvironmentEntry[] = [];
  let remembered: readonly string[] = [];
  let orphaned: readonly string[] = [];
  let canStore = vault !== null;

  async function look(): Promise<void> {
    if (vault === null) return;
    canStore = await vault.canKeep();
    const stored = await vault.ids().catch(() => [...remembered, ...orphaned]);
    const isDecryptable = await Promise.all(stored.map(canDecrypt));
    remembered = stored.filter((_id, index) => isDecryptable[index]);
    orphaned = stored.filter((_id, index) => !isDecryptable[index]);
  }

  async function canDecrypt(id: string): Promise<boolean> {
    // Without a list of environments, INV can't tell, so it assumes that they can be decrypted.
    if (list.length === 0) return true;
    const environment = list.find((entry) => entry.id === id);
    if (environment === undefined || !isConfigured(environment)) return false;
    return ((await vault?.load(environment).catch(() => null)) ?? null) !== null;
  }

  async function changeVault(change: (vault: CredentialVault) => Promise<void>): Promise<void> {
    if (vault === null) return;
    await enqueue(async () => {
      try {
        await change(vault);
      } finally {
        await look();
      }
    });
  }

  return {
    /** Returns the IDs of the environments whose credentials are in memory. */
    inMemory: (): readonly string[] => [...inMemory.keys()],
    /** Returns the IDs of the environments whose stored credentials could be decrypted at the last check. */
    remembered: () => remembered,
    /** Returns the IDs of stored credentials of environments that were removed, or whose addresses changed. */
    orphaned: () => orphaned,
    /** Whether this browser could remember credentials at the last check. */
    canRemember: () => canStore,
    /** Checks which credentials are stored and can be decrypted. Always resolves. */
    look(entries: readonly EnvironmentEntry[]): Promise<void> {
      list = entries;
      return enqueue(look);
    },
    /** Returns the credentials typed in this session, otherwise the demo's, otherwise remembered ones. */
    async find(environment: Environment): Promise<Credentials | null> {
      const { id } = environment;
      const account = environment.accounts?.[0];
      const current = inMemory.get(id) ?? (account && supplierPart(account)) ?? null;
      if (vault === null || (current !== null && !isSession(current))) return current;
      const times = forgotten.get(id);
      const stored = await enqueue(() => vault.load(environment)).catch(() => null);
      const isUnchanged = times === forgotten.get(id) && inMemory.get(id) === (current ?? undefined);
      // The person may have signed in again in another workbook.
      if (stored !== null && isUnchanged && isLater(stored, current)) inMemory.set(id, stored);
      return inMemory.get(id) ?? null;
    },
    keepInMemory: (environmentId: string, credentials: Credentials) =>
      inMemory.set(environmentId, credentials),
    /**
     * Stores typed credentials if the person wants that. Otherwise deletes an older copy, which must not return
     * at the next start.
     */
    store: (environment: Environment, credentials: Credentials, remember: boolean) =>
      changeVault(async (openVault) => {
        if (!remember) return openVault.forget(environment.id);
        try {
          await openVault.save(environment, credentials);
        } catch (error) {
          await openVault.forget(environment.id).catch(() => undefined);
          throw error;
        }
      }),
    /** Deletes the credentials from this session at once, then from the device. */
    forget(environmentId: string): Promise<void> {
      inMemory.delete(environmentId);
      forgotten.set(environmentId, (forgotten.get(environmentId) ?? 0) + 1);
      return changeVault((openVault) => openVault.forget(environmentId));
    },
  };
}

function supplierPart({ consumerId, clientSecret }: SupplierCredentials): SupplierCredentials {
  return { consumerId, clientSecret };
}

function isLater(stored: Credentials, current: Credentials | null): boolean {
  return current === null || (isSession(stored) && isSession(current) && stored.endsAtMs > current.endsAtMs);
}
