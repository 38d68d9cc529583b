/**
 * A connection over a fake engine that only records its connections. The vault, workbook, connection tests and list of
 * environments answer at once, or when a test says so.
 */
import { createCellRegister } from "../../src/cells/cell-register";
import { createConnectionManager } from "../../src/connection/connection";
import type { CredentialVault } from "../../src/connection/credential-vault";
import { createOldConnectionCells } from "../../src/connection/old-connection-cells";
import { type Credentials, secretOf, type EnvironmentEntry } from "../../src/domain/environment";
import { InvError } from "../../src/domain/errors";
import type { Connection, Fault, Progress } from "../../src/engine/types";
import type { FormulaCell, Workbook } from "../../src/workbook/port";
import { createVirtualClock } from "../helpers/virtual-clock";
import { anEnvironment, notSetUp } from "./environments";

export const ids = ["demo", "sandbox", "production"] as const;
export type Id = (typeof ids)[number];
export const refused = new InvError("credentials-refused", "The service refused the credentials.");

const formula: FormulaCell = { sheet: "Plan", row: 0, col: 2, formula: '=INV.QTY(1234,"00012345678905")' };

/** Lets each slow operation end when the test says so. `what` names the operation. */
export type Delay = <T>(what: string, value: () => T) => Promise<T>;

const atOnce: Delay = async (_what, value) => value();

export interface BedOptions {
  readonly delay?: Delay;
  readonly storedSecrets?: Record<string, Credentials>;
  readonly last?: string;
  readonly beginWithDemo?: boolean;
  readonly mustAsk?: boolean;
  readonly consentFails?: Error;
}

/** A `planned` environment is not set up. The connection test refuses a secret that begins with `wrong`. */
export function createBed(options: BedOptions = {}) {
  const { delay = atOnce, storedSecrets = {}, mustAsk = false } = options;
  const stored = new Map(Object.entries(storedSecrets));
  const vault: CredentialVault = {
    load: ({ id }) => delay(`load ${id}`, () => stored.get(id) ?? null),
    save: ({ id }, credentials) => delay(`save ${id}`, () => void stored.set(id, credentials)),
    forget: (id) => delay(`delete ${id}`, () => void stored.delete(id)),
    ids: () => delay("ids", () => [...stored.keys()]),
    canKeep: async () => true,
  };
  const connects: Connection[] = [];
  const tested: Connection[] = [];
  const settings = new Map<string, string>();
  const marked: (string | undefined)[] = [];
  const allowed: string[] = [];
  const faults: Fault[] = [];
  const openTesters = new Set<object>();
  const clock = createVirtualClock();
  const entries: EnvironmentEntry[] = [
    ...ids.map((id) => anEnvironment(id, id)),
    notSetUp("planned", "sandbox"),
  ];
  const state = { list: entries as EnvironmentEntry[] | InvError, triedAgain: 0 };
  const device = { last: options.last ?? null };
  const workbook = {
    setSetting: (key: string, value: string) => delay("setting", () => void settings.set(key, value)),
    names: async () => [],
    findFormulas: () => delay("find", () => [formula]),
    recalculate: () => delay("recalculate", () => void marked.push(connects.at(-1)?.environment.id)),
  } as unknown as Workbook;
  const connection = createConnectionManager({
    engine: {
      connect(next) {
        connects.push(next!);
        bed.onConnect(next!);
      },
      get connection() {
        return connects.at(-1) ?? null;
      },
      progress: () => ({ faults }) as unknown as Progress,
      tryAgain: () => void (state.triedAgain += 1),
    },
    testConnection(tried, signal) {
      tested.push(tried);
      openTesters.add(signal);
      signal.addEventListener("abort", () => openTesters.delete(signal));
      return delay(`test ${tried.environment.id}`, () => {
        if (secretOf(tried.credentials).startsWith("wrong")) throw refused;
      });
    },
    loadEnvironments: () =>
      delay("list", () => {
        if (state.list instanceof InvError) throw state.list;
        return [...state.list];
      }),
    vault,
    // consent.test.ts tests consent itself.
    consent: {
      isNeeded: async () => {
        if (options.consentFails) throw options.consentFails;
        return mustAsk;
      },
      keep: async ({ id }) => void allowed.push(id),
    },
    device: {
      lastEnvironment: () => device.last,
      setLastEnvironment: (id) => void (device.last = id),
    },
    workbook: () => workbook,
    earlier: createOldConnectionCells({ cells: createCellRegister({ clock }), clock }),
    beginWithDemo: options.beginWithDemo ?? false,
  });
  const bed = {
    connection,
    /** Connections that took effect, in order. */
    connects,
    tested,
    /** Testers that may still send. */
    openTesters,
    stored,
    settings,
    /** The environment in use at each recalculation of the workbook's one cell. */
    marked,
    /** Environments that the person has allowed for the workbook. */
    allowed,
    faults,
    state,
    device,
    /** Called with each connection when it takes effect. */
    onConnect: (() => undefined) as (next: Connection) => void,
  };
  return bed;
}

export const turns = () => new Promise((resolve) => setImmediate(resolve));
