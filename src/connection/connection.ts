/**
 * Which environment is in use and with whose credentials: chosen at the start, tested, changed and
 * forgotten here. Credentials live in this file's memory and, when asked, in the vault; nowhere else.
 * Invariant: nothing about the connection in use changes before its replacement has been tested, or
 * the user has asked to use it untested.
 */
import {
  type Credentials,
  type Environment,
  type EnvironmentEntry,
  isConfigured,
} from "../domain/environment";
import { InvError, toInvError } from "../domain/errors";
import type { Connection, Engine } from "../engine/types";
import type { ConnectionChoice, ConnectionService, ConnectionState } from "./types";
import type { Workbook } from "../workbook/port";
import { environmentSetting } from "../workbook/settings";
import { chooseEnvironment } from "./choose-environment";
import type { CredentialVault } from "./credential-vault";
import type { DeviceSettings } from "./device-settings";
import type { EarlierCells } from "./earlier-cells";
import { createSource } from "../domain/source";

export interface ConnectionOptions {
  readonly engine: Pick<Engine, "connect" | "connection" | "progress" | "tryAgain">;
  now(): number;
  /** An engine of its own, so that a test disturbs neither cells nor cached values. */
  createTester(): Pick<Engine, "connect" | "testConnection">;
  loadEnvironments(): Promise<EnvironmentEntry[]>;
  /** Null where the browser gives no storage or no encryption. */
  readonly vault: CredentialVault | null;
  readonly device: Pick<DeviceSettings, "lastEnvironment" | "setLastEnvironment">;
  /** Null while none is open. */
  workbook(): Workbook | null;
  readonly earlier: EarlierCells;
  readonly beginWithDemo: boolean;
}

export interface ConnectionManager extends ConnectionService {
  /** Reads the list and connects to what the workbook or the device names. Resolves always. */
  begin(storedId: string | null): Promise<void>;
}

export function createConnectionManager(options: ConnectionOptions): ConnectionManager {
  const { engine, vault, device, earlier } = options;
  const held = new Map<string, Credentials>();
  let remembered: readonly string[] = [];
  let sinceMs = options.now();
  const state = createSource<ConnectionState>({
    ready: false,
    environments: [],
    listError: null,
    environment: null,
    missingId: null,
    consumerId: null,
    account: null,
    held: [],
    remembered: [],
    canRemember: vault !== null,
    earlierCells: 0,
    notice: null,
  });

  function tell(change: Partial<ConnectionState>): void {
    const connection = engine.connection;
    const { environment, credentials } = connection ?? { environment: null, credentials: null };
    state.set({
      ...state.get(),
      environment,
      consumerId: credentials?.consumerId ?? null,
      account:
        environment?.accounts?.find(({ consumerId }) => consumerId === credentials?.consumerId)?.name ?? null,
      held: [...held.keys()],
      remembered,
      earlierCells: earlier.count.get(),
      ...change,
    });
  }
  earlier.count.subscribe(() => tell({}));

  function connect(connection: Connection): void {
    engine.connect(connection);
    sinceMs = options.now();
  }

  async function loadList(): Promise<readonly EnvironmentEntry[]> {
    try {
      const environments = await options.loadEnvironments();
      tell({ environments, listError: null });
      return environments;
    } catch (error) {
      tell({ environments: [], listError: toInvError(error) });
      return [];
    }
  }

  async function credentialsFor(environment: Environment): Promise<Credentials | null> {
    const known = held.get(environment.id) ?? environment.accounts?.[0] ?? null;
    if (known) return { consumerId: known.consumerId, clientSecret: known.clientSecret };
    const stored = (await vault?.load(environment).catch(() => null)) ?? null;
    if (stored) held.set(environment.id, stored);
    return stored;
  }

  /** The choice as a connection; throws an InvError when something is left out. */
  async function connectionOf(choice: ConnectionChoice): Promise<Connection & { credentials: Credentials }> {
    const entry = state.get().environments.find(({ id }) => id === choice.environmentId);
    if (!entry || !isConfigured(entry)) {
      throw new InvError("not-connected", "This environment is not set up. Ask your administrator.");
    }
    const account = entry.accounts?.find(({ name }) => name === choice.account);
    const typed = account ?? choice.credentials;
    const credentials = typed
      ? { consumerId: typed.consumerId.trim(), clientSecret: typed.clientSecret.trim() }
      : await credentialsFor(entry);
    if (!credentials?.consumerId || !credentials.clientSecret) {
      throw new InvError(
        "not-connected",
        "Type the consumer ID and the client secret of this environment first.",
      );
    }
    return { environment: entry, credentials };
  }

  async function keep({ environment, credentials }: Connection, choice: ConnectionChoice): Promise<void> {
    if (!credentials) return;
    held.set(environment.id, credentials);
    if (!vault || !choice.credentials) return;
    // An older copy must not come back at the next start in place of what was typed now.
    if (choice.remember) await vault.save(environment, credentials);
    else await vault.forget(environment.id);
    remembered = await vault.ids();
  }

  async function storeChoice(environment: Environment): Promise<void> {
    device.setLastEnvironment(environment.id);
    await options.workbook()?.setSetting(environmentSetting, environment.id);
  }

  async function markCells(): Promise<void> {
    const workbook = options.workbook();
    const environment = engine.connection?.environment;
    if (workbook && environment) await earlier.mark(workbook, { environmentId: environment.id, sinceMs });
  }

  /** Runs what may fail without taking the connection back; the pane shows the sentence. */
  async function attempt(work: Promise<void>, notice: string): Promise<void> {
    await work.catch(() => tell({ notice }));
  }

  return {
    get: state.get,
    subscribe: state.subscribe,

    begin: async (storedId) => {
      remembered = (await vault?.ids().catch(() => [])) ?? [];
      const entries = await loadList();
      const facts = {
        stored: storedId,
        last: device.lastEnvironment(),
        beginWithDemo: options.beginWithDemo,
      };
      const { environment, missingId } = chooseEnvironment(entries, facts);
      if (environment) connect({ environment, credentials: await credentialsFor(environment) });
      tell({ ready: true, missingId });
    },

    test: async (choice) => {
      const tester = options.createTester();
      tester.connect(await connectionOf(choice));
      await tester.testConnection();
    },

    use: async (choice) => {
      const connection = await connectionOf(choice);
      const unchanged = isSame(engine.connection, connection);
      const stopped = engine.progress().faults.length > 0;
      if (unchanged) engine.tryAgain();
      else connect(connection);
      held.set(connection.environment.id, connection.credentials);
      tell({ missingId: null, notice: null });
      await attempt(
        keep(connection, choice),
        "The credentials could not be stored on this device; they hold until INV is closed.",
      );
      await attempt(
        storeChoice(connection.environment),
        "The environment could not be stored in this workbook. Is the workbook read-only?",
      );
      tell({});
      if (!unchanged || stopped) {
        await attempt(
          markCells(),
          "Not all INV cells could be marked for recalculation. Use “Recalculate now”, or refresh the workbook.",
        );
      }
    },

    forget: async (environmentId) => {
      held.delete(environmentId);
      const inUse = engine.connection?.environment;
      if (inUse?.id === environmentId) connect({ environment: inUse, credentials: null });
      tell({ notice: null });
      if (!vault) return;
      await attempt(
        vault.forget(environmentId),
        "The browser did not delete the stored credentials. Clear this site's data in the browser's settings.",
      );
      remembered = await vault.ids().catch(() => remembered);
      tell({});
    },

    reload: async () => {
      const entries = await loadList();
      const { environment, missingId } = state.get();
      if (environment || entries.length === 0) return;
      const facts = {
        stored: missingId,
        last: device.lastEnvironment(),
        beginWithDemo: options.beginWithDemo,
      };
      const chosen = chooseEnvironment(entries, facts);
      if (chosen.environment) {
        const credentials = await credentialsFor(chosen.environment);
        connect({ environment: chosen.environment, credentials });
        tell({ missingId: chosen.missingId });
        if (credentials) await attempt(markCells(), "Refresh the workbook to fill its INV cells.");
      }
    },

    recalculate: async () => {
      engine.tryAgain();
      tell({ notice: null });
      await attempt(markCells(), "Not all INV cells could be marked for recalculation. Try again.");
    },
  };
}

function isSame(current: Connection | null, next: Connection): boolean {
  return (
    current?.environment.id === next.environment.id &&
    current.credentials?.consumerId === next.credentials?.consumerId &&
    current.credentials?.clientSecret === next.credentials?.clientSecret
  );
}
