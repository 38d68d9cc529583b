/**
 * Which environment is in use and with whose credentials: chosen at the start, tested, changed and
 * forgotten here.
 * Invariants: nothing about the connection in use changes before its replacement has been tested, or the
 * user has asked to use it untested. The latest choice of a person wins, whatever returns late: in the
 * engine, on the device, in the vault and in the workbook.
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
import { createSource } from "../domain/notices";
import type { Connection, Engine } from "../engine/types";
import type { Workbook } from "../workbook/port";
import { environmentSetting } from "../workbook/settings";
import { type ConnectionAttempt, createAttempts } from "./attempts";
import { chooseEnvironment } from "./choose-environment";
import { createCredentialKeeper } from "./credential-keeper";
import { isSameConnection, withoutBlanks } from "./credentials";
import type { Consent } from "./consent";
import type { CredentialVault } from "./credential-vault";
import type { DeviceSettings } from "./device-settings";
import type { EarlierCells } from "./earlier-cells";
import { createOrder } from "./in-order";
import type { ConnectionChoice, ConnectionService, ConnectionState } from "./types";

export interface ConnectionOptions {
  readonly engine: Pick<Engine, "connect" | "connection" | "progress" | "tryAgain">;
  /** Rejects with the reason why no values can be read there. It disturbs neither cells nor cached values. */
  testConnection(connection: Connection & { credentials: Credentials }, signal: AbortSignal): Promise<void>;
  loadEnvironments(): Promise<EnvironmentEntry[]>;
  /** Null where the browser gives no storage or no encryption. */
  readonly vault: CredentialVault | null;
  readonly consent: Consent;
  readonly device: Pick<DeviceSettings, "lastEnvironment" | "setLastEnvironment">;
  /** Null while none is open. */
  workbook(): Workbook | null;
  readonly earlier: EarlierCells;
  readonly beginWithDemo: boolean;
}

export interface ConnectionManager extends ConnectionService {
  /** Reads the list and connects to what the workbook or the device names. Resolves always. */
  begin(storedId: string | null): Promise<void>;
  /** The session that a person has there, in this workbook or on this device; null where there is none. */
  sessionOf(environment: Environment): Promise<SessionCredentials | null>;
}

export function createConnectionManager(options: ConnectionOptions): ConnectionManager {
  const { engine, device, earlier } = options;
  const keeper = createCredentialKeeper(options.vault);
  const connects = createAttempts();
  const tests = createAttempts();
  const storing = createOrder();
  let listsAsked = 0;
  let afterCalculation = earlier.lastCalculation();
  const state = createSource<ConnectionState>({
    ready: false,
    environments: [],
    listError: null,
    environment: null,
    missingId: null,
    hasCredentials: false,
    consumerId: null,
    person: null,
    account: null,
    held: [],
    remembered: [],
    orphaned: [],
    canRemember: options.vault !== null,
    awaitsConsent: false,
    earlierCells: 0,
    notice: null,
  });

  function tell(change: Partial<ConnectionState>): void {
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
      held: keeper.held(),
      remembered: keeper.remembered(),
      orphaned: keeper.orphaned(),
      canRemember: keeper.canRemember(),
      awaitsConsent: connection?.awaitsConsent ?? false,
      earlierCells: earlier.count.get(),
      ...change,
    });
  }
  earlier.count.subscribe(() => tell({}));

  function putInUse(connection: Connection): void {
    engine.connect(connection);
    afterCalculation = earlier.lastCalculation();
  }

  /** Of lists that were asked for together, the one asked for last is told. */
  async function loadList(): Promise<readonly EnvironmentEntry[]> {
    const own = (listsAsked += 1);
    try {
      const environments = await options.loadEnvironments();
      if (own === listsAsked) await keeper.look(environments);
      if (own === listsAsked) tell({ environments, listError: null });
      return environments;
    } catch (error) {
      if (own === listsAsked) await keeper.look([]);
      if (own === listsAsked) tell({ environments: [], listError: toInvError(error) });
      return [];
    }
  }

  /**
   * Connects to what the workbook or the device names, with remembered credentials only where the person has
   * allowed this workbook to; a person's own choice goes before it.
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
      putInUse(
        awaitsConsent ? { environment, credentials: null, awaitsConsent } : { environment, credentials },
      );
    }
    return { missingId, connected: credentials !== null && !awaitsConsent };
  }

  /** The choice as a connection; throws an InvError when something is left out. */
  async function connectionOf(choice: ConnectionChoice): Promise<Connection & { credentials: Credentials }> {
    const entry = state.get().environments.find(({ id }) => id === choice.environmentId);
    if (!entry || !isConfigured(entry)) {
      throw new InvError("not-connected", "This environment is not set up. Ask your administrator.");
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

  /** The choice as a connection, tested where that is wanted; rejects when the attempt is given up. */
  async function prepare(choice: ConnectionChoice, attempt: ConnectionAttempt, tested: boolean) {
    const connection = await attempt.unlessGivenUp(connectionOf(choice));
    if (!tested) return connection;
    const ended = new AbortController();
    try {
      await attempt.unlessGivenUp(options.testConnection(connection, ended.signal));
    } finally {
      // A test that was given up sends nothing more.
      ended.abort();
    }
    return connection;
  }

  /** Takes effect: from here on cells ask there. */
  function takeUp(connection: Connection & { credentials: Credentials }) {
    const isUnchanged = isSameConnection(engine.connection, connection);
    const mustMark = !isUnchanged || engine.progress().faults.length > 0;
    if (isUnchanged) engine.tryAgain();
    else putInUse(connection);
    keeper.hold(connection.environment.id, connection.credentials);
    tell({ missingId: null, notice: null });
    return { connection, mustMark };
  }

  async function storeCredentials({ environment, credentials }: Connection, choice: ConnectionChoice) {
    if (!choice.credentials || !credentials) return;
    await keeper.store({ environment, credentials, remember: choice.remember === true });
  }

  async function storeEnvironment(environment: Environment): Promise<void> {
    device.setLastEnvironment(environment.id);
    await storing(async () => {
      const inUse = engine.connection?.environment ?? environment;
      await options.workbook()?.setSetting(environmentSetting, inUse.id);
      await options.consent.keep(inUse);
    });
  }

  async function markCells(): Promise<void> {
    const workbook = options.workbook();
    const environment = engine.connection?.environment;
    if (!workbook || !environment) return;
    await earlier.mark(workbook, { environmentId: environment.id, afterCalculation });
  }

  /** Runs what may fail without taking the connection back; the pane shows the sentence. */
  async function trying(work: Promise<void>, notice: string): Promise<void> {
    await work.then(
      () => tell({}),
      () => tell({ notice }),
    );
  }

  return {
    get: state.get,
    subscribe: state.subscribe,

    begin: async (storedId) => {
      try {
        const { missingId } = await connectUnasked(await loadList(), storedId);
        tell({ ready: true, missingId });
      } catch {
        // Nothing is in use then, and the person can choose.
        tell({ ready: true, notice: "INV could not connect by itself. Choose the environment." });
      }
    },

    sessionOf: async (environment) => {
      const credentials = await keeper.find(environment);
      return credentials && isSession(credentials) ? credentials : null;
    },

    test: async (choice, signal) => {
      const attempt = tests.begin(choice.environmentId, signal);
      await prepare(choice, attempt, true).finally(() => attempt.end());
    },

    connect: async (choice, { tested, signal }) => {
      const attempt = connects.begin(choice.environmentId, signal);
      // Between its last look at whether it was given up and its taking effect nothing may come.
      const { connection, mustMark } = await prepare(choice, attempt, tested)
        .then((prepared) => attempt.takingEffect(() => takeUp(prepared)))
        .finally(() => attempt.end());
      await Promise.all([
        trying(
          storeCredentials(connection, choice),
          "The credentials could not be stored on this device; they hold until INV is closed.",
        ),
        trying(
          storeEnvironment(connection.environment),
          "The environment could not be stored in this workbook. Is the workbook read-only?",
        ),
        trying(
          mustMark ? markCells() : Promise.resolve(),
          "Not all INV cells could be marked for recalculation. Use “Recalculate now”, or refresh the workbook.",
        ),
      ]);
    },

    forget: async (environmentId) => {
      tests.giveUp(environmentId);
      connects.giveUp(environmentId);
      const forgetting = keeper.forget(environmentId);
      const inUse = engine.connection?.environment;
      if (inUse?.id === environmentId) putInUse({ environment: inUse, credentials: null });
      tell({ notice: null });
      await trying(
        forgetting,
        "The browser did not delete the stored credentials. Clear this site's data in the browser's settings.",
      );
    },

    reload: async () => {
      const entries = await loadList();
      if (entries.length === 0) return;
      const { missingId, connected } = await connectUnasked(entries, state.get().missingId);
      if (engine.connection !== null) tell({ missingId });
      if (connected) await trying(markCells(), "Refresh the workbook to fill its INV cells.");
    },

    recalculate: async () => {
      engine.tryAgain();
      tell({ notice: null });
      await trying(markCells(), "Not all INV cells could be marked for recalculation. Try again.");
    },
  };
}
