/** A connection over a fake engine, vault and workbook that answer at once. */
import { type ConnectionOptions, createConnectionManager } from "../../src/connection/connection";
import type { CredentialVault } from "../../src/connection/credential-vault";
import { createSource } from "../../src/domain/notices";
import type { Credentials } from "../../src/domain/environment";
import { InvError } from "../../src/domain/errors";
import type { Connection, Fault, Progress } from "../../src/engine/types";
import type { Workbook } from "../../src/workbook/port";
import { anEnvironment, notSetUp } from "./environments";

export const typed = { consumerId: " my-id ", clientSecret: "\tmy-secret\n" };
export const trimmed = { consumerId: "my-id", clientSecret: "my-secret" };
export const untested = { tested: false };
export const refused = new InvError("credentials-refused", "The service refused the credentials.");

interface Setup {
  readonly storedSecrets?: Record<string, Credentials>;
  readonly testFails?: InvError;
  readonly last?: string;
  readonly beginWithDemo?: boolean;
  readonly mustAsk?: boolean;
  readonly consentFails?: Error;
}

export function setUp(given: Setup = {}) {
  const stored = new Map(Object.entries(given.storedSecrets ?? {}));
  const vault: CredentialVault = {
    load: async ({ id }) => stored.get(id) ?? null,
    save: async ({ id }, credentials) => void stored.set(id, credentials),
    forget: async (id) => void stored.delete(id),
    ids: async () => [...stored.keys()],
    canKeep: async () => true,
  };
  const connects: Connection[] = [];
  const tested: Connection[] = [];
  const marked: string[] = [];
  const settings = new Map<string, string>();
  const faults: Fault[] = [];
  let triedAgain = 0;
  const state = {
    list: [
      anEnvironment("demo", "demo"),
      anEnvironment("production", "production"),
      notSetUp("sandbox", "sandbox"),
    ] as Awaited<ReturnType<ConnectionOptions["loadEnvironments"]>> | InvError,
  };
  const options: ConnectionOptions = {
    engine: {
      connect: (connection) => {
        if (connection) connects.push(connection);
      },
      get connection() {
        return connects.at(-1) ?? null;
      },
      progress: () => ({ faults }) as unknown as Progress,
      tryAgain: () => void (triedAgain += 1),
    },
    createTester: () => ({
      connect: (connection) => {
        if (connection) tested.push(connection);
      },
      testConnection: async () => {
        if (given.testFails) throw given.testFails;
      },
    }),
    loadEnvironments: async () => {
      if (state.list instanceof InvError) throw state.list;
      return state.list;
    },
    vault,
    consent: {
      isNeeded: async () => {
        if (given.consentFails) throw given.consentFails;
        return given.mustAsk ?? false;
      },
      keep: async ({ id }) => void settings.set("allowed", id),
    },
    device: {
      lastEnvironment: () => given.last ?? null,
      setLastEnvironment: (id) => void settings.set("last", id),
    },
    workbook: () =>
      ({
        setSetting: async (key: string, value: string) => void settings.set(key, value),
      }) as unknown as Workbook,
    earlier: {
      lastCalculation: () => 0,
      count: createSource(0),
      mark: async (_workbook, { environmentId }) => void marked.push(environmentId),
    },
    beginWithDemo: given.beginWithDemo ?? false,
  };
  const connection = createConnectionManager(options);
  return {
    connection,
    stored,
    connects,
    tested,
    marked,
    settings,
    faults,
    state,
    triedAgain: () => triedAgain,
  };
}
