/**
 * The credentials of this session: typed ones in memory, remembered ones in the vault as well; nowhere else.
 * Invariant: whatever the vault takes its time over, the last that was asked for an environment holds in the
 * end, and credentials that were forgotten are never used or stored again.
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
import { createOrder } from "./in-order";

export interface CredentialKeeper {
  /** Ids of the environments whose credentials this session holds. */
  held(): readonly string[];
  /** Ids of those that are stored on this device and open for their environment, as last seen. */
  remembered(): readonly string[];
  /** Ids of those that are stored and open for none: the environment is gone, or leads elsewhere now. */
  orphaned(): readonly string[];
  /** Whether this browser can remember any, as last seen. */
  canRemember(): boolean;
  /** Looks which are stored, and which of these environments they open for. Resolves always. */
  look(entries: readonly EnvironmentEntry[]): Promise<void>;
  /** Those typed in this session, else the demo's, else the remembered ones; null where there are none. */
  find(environment: Environment): Promise<Credentials | null>;
  hold(environmentId: string, credentials: Credentials): void;
  /** Stores what was typed, or drops an older copy, which must not come back at the next start. */
  store(typed: TypedCredentials): Promise<void>;
  /** Drops them from this session at once, then from the device. */
  forget(environmentId: string): Promise<void>;
}

interface TypedCredentials {
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly remember: boolean;
}

export function createCredentialKeeper(vault: CredentialVault | null): CredentialKeeper {
  const held = new Map<string, Credentials>();
  /** How often each was forgotten: what was read before that is not used after it. */
  const forgotten = new Map<string, number>();
  const inLine = createOrder();
  let list: readonly EnvironmentEntry[] = [];
  let remembered: readonly string[] = [];
  let orphaned: readonly string[] = [];
  let canKeep = vault !== null;

  async function look(): Promise<void> {
    if (vault === null) return;
    canKeep = await vault.canKeep();
    const stored = await vault.ids().catch(() => [...remembered, ...orphaned]);
    const opening = await Promise.all(stored.map(opens));
    remembered = stored.filter((_id, index) => opening[index]);
    orphaned = stored.filter((_id, index) => !opening[index]);
  }

  async function opens(id: string): Promise<boolean> {
    // Without a list nobody can say what belongs to what.
    if (list.length === 0) return true;
    const environment = list.find((entry) => entry.id === id);
    if (environment === undefined || !isConfigured(environment)) return false;
    return ((await vault?.load(environment).catch(() => null)) ?? null) !== null;
  }

  /** A change of the vault, and a look at what it left. */
  async function changing(change: (vault: CredentialVault) => Promise<void>): Promise<void> {
    if (vault === null) return;
    await inLine(() => change(vault).finally(look));
  }

  return {
    held: () => [...held.keys()],
    remembered: () => remembered,
    orphaned: () => orphaned,
    canRemember: () => canKeep,
    look: (entries) => {
      list = entries;
      return inLine(look);
    },
    find: async (environment) => {
      const { id } = environment;
      const account = environment.accounts?.[0];
      const known = held.get(id) ?? (account && supplierPart(account)) ?? null;
      if (vault === null || (known !== null && !isSession(known))) return known;
      const times = forgotten.get(id);
      const stored = await inLine(() => vault.load(environment)).catch(() => null);
      const isOurs = times === forgotten.get(id) && held.get(id) === (known ?? undefined);
      // A session may have been got in another workbook since this one's has ended.
      if (stored !== null && isOurs && isLater(stored, known)) held.set(id, stored);
      return held.get(id) ?? null;
    },
    hold: (environmentId, credentials) => void held.set(environmentId, credentials),
    store: ({ environment, credentials, remember }) =>
      changing(async (open) => {
        if (!remember) return open.forget(environment.id);
        try {
          await open.save(environment, credentials);
        } catch (error) {
          await open.forget(environment.id).catch(() => undefined);
          throw error;
        }
      }),
    forget: (environmentId) => {
      held.delete(environmentId);
      forgotten.set(environmentId, (forgotten.get(environmentId) ?? 0) + 1);
      return changing((open) => open.forget(environmentId));
    },
  };
}

function supplierPart({ consumerId, clientSecret }: SupplierCredentials): SupplierCredentials {
  return { consumerId, clientSecret };
}

function isLater(stored: Credentials, known: Credentials | null): boolean {
  return known === null || (isSession(stored) && isSession(known) && stored.endsAtMs > known.endsAtMs);
}
