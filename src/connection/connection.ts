/**
 * The current environment and its credentials. This module chooses them at startup, and tests, changes and
 * forgets them.
 * Invariants: the current connection stays unchanged until its replacement has been tested, or until a person
 * chooses it untested. A person's latest choice wins in the engine, on the device, in the vault and in the
 * workbook, even if earlier operations end later.
 */
import {
  consumerIdOf,
  type Credentials,
  type Environment,
  type EnvironmentEntry,
  isConfigured,
  isSession,
  secretOf,
  type SessionCredentials,
} from "../domain/environment";
import { InvError, toInvError } from "../domain/errors";
import { createObservable } from "../domain/notices";
import type { Connection, Engine } from "../engine/types";
import type { Workbook } from "../workbook/port";
import { environmentSetting } from "../workbook/settings";
import { type ConnectionAttempt, createAttempts } from "./attempts";
import { chooseEnvironment } from "./choose-environment";
import { createCredentialKeeper } from "./credential-keeper";
import type { Consent } from "./consent";
import type { CredentialVault } from "./credential-vault";
import type { DeviceSettings } from "./device-settings";
import type { OldConnectionCells } from "./old-connection-cells";
import { createTaskQueue } from "../domain/task-queue";
import type { ConnectionChoice, PaneConnection, ConnectionState } from "./types";

export interface ConnectionOptions {
  readonly engine: Pick<Engine, "connect" | "connection" | "progress" | "tryAgain">;
  /**
   * Rejects with the reason if the connection can't read values. It affects neither cells nor cached values.
   */
  testConnection(connection: Connection & { credentials: Credentials }, signal: AbortSignal): Promise<void>;
  loadEnvironments(): Promise<EnvironmentEntry[]>;
  /** Null if the browser has no storage or no encryption. */
  readonly vault: CredentialVault | null;
  readonly consent: Consent;
  readonly device: Pick<DeviceSettings, "lastEnvironment" | "setLastEnvironment">;
  /** Returns null while no workbook is open. */
  workbook(): Workbook | null;
  readonly earlier: OldConnectionCells;
  readonly beginWithDemo: boolean;
}

export interface ConnectionManager extends PaneConnection {
  /** Reads the list and connects to the environment of the workbook or the device. Always resolves. */
  begin(storedId: string | null): Promise<void>;
  /** Returns the person's session for this environment, from this workbook or this device. */
  sessionOf(environment: Environment): Promise<SessionCredentials | null>;
}

export function createConnectionManager(options: ConnectionOptions): ConnectionManager {
  const { engine, device, earlier } = options;
  const keeper = createCredentialKeeper(options.vault);
  const connects = createAttempts();
  const enqueue = createTaskQueue();
  let listsAsked = 0;
  let afterRecalculation = earlier.lastRecalculation();
  const state = createObservable<ConnectionState>({
    ready: false,
    environments: [],
    listError: null,
    environment: null,
    missingId: null,
    hasCredentials: false,
    consumerId: null,
    person: null,
    account: null,
    inMemory: [],
    remembered: [],
    orphaned: [],
    canRemember: options.vault !== null,
    awaitsConsent: false,
    earlierCells: 0,
    notice: null,
  });

  function update(change: Partial<ConnectionState>): void {
    const connection = engine.connection;
    const { environment, credentials } = connection ?? { environment: null, credentials: null };
    const consumerId = credentials && consumerIdOf(credentials);
    state.set({
      ...state.get(),
      environment,
      hasCredentials: credentials !== null,
      consumerId,
      person: credentials && isSession(credentials) ? credentials.person : null,
      account: environment?.accounts?.find((account) => account.consumerId === consumerId)?.name ?? null,
      inMemory: keeper.inMemory(),
      remembered: keeper.remembered(),
      orphaned: keeper.orphaned(),
      canRemember: keeper.canRemember(),
      awaitsConsent: connection?.awaitsConsent ?? false,
      earlierCells: earlier.count.get(),
      ...change,
    });
  }
  earlier.count.subscribe(() => update({}));

  function useConnection(connection: Connection): void {
    engine.connect(connection);
    afterRecalculation = earlier.lastRecalculation();
  }

  /** If several lists are requested at once, only the latest counts. If it can't be read, the earlier list stays in use. */
  async function loadList(): Promise<readonly EnvironmentEntry[]> {
    const requestNumber = (listsAsked += 1);
    try {
      const environments = await options.loadEnvironments();
      if (requestNumber === listsAsked) await keeper.look(environments);
      if (requestNumber === listsAsked) update({ environments, listError: null });
      return environments;
    } catch (error) {
      if (requestNumber === listsAsked) await keeper.look(state.get().environments);
      if (requestNumber === listsAsked) update({ listError: toInvError(error) });
      return [];
    }
  }

  /**
   * Connects to the environment of the workbook or the device, unless a person has chosen one meanwhile. Uses
   * remembered credentials only if the person has allowed this workbook to use them.
   */
  async function connectUnasked(
    entries: readonly EnvironmentEntry[],
    stored: string | null,
  ): Promise<{ readonly missingId: string | null; readonly connected: boolean }> {
    const isTaken = (): boolean => engine.connection !== null || connects.isUnderWay();
    const facts = { stored, last: device.lastEnvironment(), beginWithDemo: options.beginWithDemo };
    const { environment, missingId } = chooseEnvironment(entries, facts);
    const credentials = environment && (await keeper.find(environment));
    const awaitsConsent =
      environment !== null && credentials !== null && (await options.consent.isNeeded(environment, stored));
    if (isTaken()) return { missingId: null, connected: false };
    if (environment !== null) {
      useConnection(
        awaitsConsent ? { environment, credentials: null, awaitsConsent } : { environment, credentials },
      );
    }
    return { missingId, connected: credentials !== null && !awaitsConsent };
  }

  /** @throws InvError if something is missing */
  async function connectionOf(choice: ConnectionChoice): Promise<Connection & { credentials: Credentials }> {
    const entry = state.get().environments.find(({ id }) => id === choice.environmentId);
    if (!entry || !isConfigured(entry)) {
      throw new InvError("not-connected", "This environment isn't set up. Ask your administrator.");
    }
    const account = entry.accounts?.find(({ name }) => name === choice.account);
    const typed = account ?? choice.credentials;
    const credentials = typed ? withoutBlanks(typed) : await keeper.find(entry);
    if (!credentials && entry.credentials === "server") {
      throw new InvError("signed-out", `Sign in at ${entry.signIn?.at ?? "your company"} first.`);
    }
    if (!credentials || !secretOf(credentials) || consumerIdOf(credentials) === "") {
      throw new InvError(
        "not-connected",
        "Type the consumer ID and the client secret of this environment first.",
      );
    }
    return { environment: entry, credentials };
  }

  /** Returns the connection, after a test if `tested`. Rejects if the attempt is cancelled. */
  async function prepare(choice: ConnectionChoice, attempt: ConnectionAttempt, tested: boolean) {
    const connection = await attempt.unlessCancelled(connectionOf(choice));
    if (!tested) return connection;
    const ended = new AbortController();
    try {
      await attempt.unlessCancelled(options.testConnection(connection, ended.signal));
    } finally {
      // A cancelled test must send nothing more.
      ended.abort();
    }
    return connection;
  }

  function apply(connection: Connection & { credentials: Credentials }) {
    const isUnchanged = isSameConnection(engine.connection, connection);
    const mustMark = !isUnchanged || engine.progress().faults.length > 0;
    if (isUnchanged) engine.tryAgain();
    else useConnection(connection);
    keeper.keepInMemory(connection.environment.id, connection.credentials);
    update({ missingId: null, notice: null });
    return { connection, mustMark };
  }

  async function storeCredentials({ environment, credentials }: Connection, choice: ConnectionChoice) {
    if (!choice.credentials || !credentials) return;
    await keeper.store(environment, credentials, choice.remember === true);
  }

  async function storeEnvironment(environment: Environment): Promise<void> {
    device.setLastEnvironment(environment.id);
    await enqueue(async () => {
      const inUse = engine.connection?.environment ?? environment;
      await options.workbook()?.setSetting(environmentSetting, inUse.id);
      await options.consent.keep(inUse);
    });
  }

  async function markCells(): Promise<void> {
    const workbook = options.workbook();
    const environment = engine.connection?.environment;
    if (!workbook || !environment) return;
    await earlier.mark(workbook, { environmentId: environment.id, afterRecalculation });
  }

  /** Shows the notice in the pane if this work fails. The connection stays. */
  async function reportFailure(work: Promise<void>, notice: string): Promise<void> {
    await work.then(
      () => update({}),
      () => update({ notice }),
    );
  }

  return {
    get: state.get,
    subscribe: state.subscribe,

    begin: async (storedId) => {
      try {
        const { missingId } = await connectUnasked(await loadList(), storedId);
        update({ ready: true, missingId });
      } catch {
        update({ ready: true, notice: "INV couldn't connect. Choose an environment." });
      }
    },

    sessionOf: async (environment) => {
      const credentials = await keeper.find(environment);
      return credentials && isSession(credentials) ? credentials : null;
    },

    connect: async (choice, { tested, signal }) => {
      const attempt = connects.begin(choice.environmentId, signal);
      const { connection, mustMark } = await prepare(choice, attempt, tested)
        .then((prepared) => attempt.commit(() => apply(prepared)))
        .finally(() => attempt.end());
      await Promise.all([
        reportFailure(
          storeCredentials(connection, choice),
          "INV couldn't store the credentials on this device. They apply until you close INV.",
        ),
        reportFailure(
          storeEnvironment(connection.environment),
          "INV couldn't store the environment in this workbook. The workbook may be read-only.",
        ),
        reportFailure(
          mustMark ? markCells() : Promise.resolve(),
          "INV couldn't recalculate all of its cells. Choose “Recalculate now”, or refresh the workbook.",
        ),
      ]);
    },

    forget: async (environmentId) => {
      connects.cancel(environmentId);
      const forgetting = keeper.forget(environmentId);
      const inUse = engine.connection?.environment;
      if (inUse?.id === environmentId) useConnection({ environment: inUse, credentials: null });
      update({ notice: null });
      await reportFailure(
        forgetting,
        "The browser didn't delete the stored credentials. Clear this site's data in the browser's settings.",
      );
    },

    reload: async () => {
      const entries = await loadList();
      if (entries.length === 0) return;
      const { missingId, connected } = await connectUnasked(entries, state.get().missingId);
      if (engine.connection !== null) update({ missingId });
      if (connected) await reportFailure(markCells(), "Refresh the workbook to fill its INV cells.");
    },

    recalculate: async () => {
      engine.tryAgain();
      update({ notice: null });
      await reportFailure(markCells(), "INV couldn't recalculate all of its cells. Try again.");
    },
  };
}

/** Removes surrounding spaces, which copied text often has. */
function withoutBlanks(typed: Credentials): Credentials {
  if (isSession(typed)) return typed;
  return { consumerId: typed.consumerId.trim(), clientSecret: typed.clientSecret.trim() };
}

function isSameConnection(current: Connection | null, next: Connection): boolean {
  return (
    current?.environment.id === next.environment.id &&
    JSON.stringify(current.credentials) === JSON.stringify(next.credentials)
  );
}
