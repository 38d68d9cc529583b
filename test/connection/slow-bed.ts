/**
 * A connection whose vault, workbook, tests and list take as long as a test says, over an engine that only
 * keeps what it was connected to.
 */
import { createCellRegister } from "../../src/cells/cell-register";
import { createConnectionManager } from "../../src/connection/connection";
import type { CredentialVault } from "../../src/connection/credential-vault";
import { createEarlierCells } from "../../src/connection/earlier-cells";
import {
  type Credentials,
  type EnvironmentEntry,
  secretOf as secretIn,
  type SupplierCredentials,
} from "../../src/domain/environment";
import { InvError } from "../../src/domain/errors";
import type { Connection, Progress } from "../../src/engine/types";
import type { FormulaCell, Workbook } from "../../src/workbook/port";
import { createVirtualClock } from "../helpers/virtual-clock";
import { anEnvironment } from "./environments";

export const ids = ["demo", "sandbox", "production"] as const;
export type Id = (typeof ids)[number];
const environments = [
  anEnvironment("demo", "demo"),
  anEnvironment("sandbox", "sandbox"),
  anEnvironment("production", "production"),
];
const formulas: FormulaCell[] = [
  { sheet: "Plan", row: 0, col: 2, formula: '=INV.QTY(1234,"00012345678905")' },
];
const refused = new InvError("credentials-refused", "The service refused the credentials.");

/** Lets each slow thing end when the test says so: `what` names it. */
export type Delay = <T>(what: string, value: () => T) => Promise<T>;

export function setUpSlow(delay: Delay) {
  const stored = new Map<string, Credentials>();
  const vault: CredentialVault = {
    load: ({ id }) => delay(`load ${id}`, () => stored.get(id) ?? null),
    save: ({ id }, credentials) => delay(`save ${id}`, () => void stored.set(id, credentials)),
    forget: (id) => delay(`delete ${id}`, () => void stored.delete(id)),
    ids: () => delay("ids", () => [...stored.keys()]),
    canKeep: async () => true,
  };
  const connects: (Connection | null)[] = [];
  const settings = new Map<string, string>();
  const marked: { readonly environmentId: string | undefined; readonly cells: number }[] = [];
  const workbook = {
    setSetting: (key: string, value: string) => delay("setting", () => void settings.set(key, value)),
    names: async () => [],
    findFormulas: () => delay("find", () => formulas),
    recalculate: (cells: readonly unknown[]) =>
      delay("recalculate", () => {
        marked.push({ environmentId: connects.at(-1)?.environment.id, cells: cells.length });
      }),
  } as unknown as Workbook;
  const clock = createVirtualClock();
  const device = { last: null as string | null };
  const openTesters = new Set<object>();
  const connection = createConnectionManager({
    engine: {
      connect: (next) => {
        connects.push(next);
        bed.onConnect(next);
      },
      get connection() {
        return connects.at(-1) ?? null;
      },
      progress: () => ({ faults: [] }) as unknown as Progress,
      tryAgain: () => undefined,
    },
    createTester: () => {
      let tried: Connection | null = null;
      const tester = {
        connect: (next: Connection | null) => {
          tried = next;
          if (next === null) openTesters.delete(tester);
          else openTesters.add(tester);
        },
        testConnection: () =>
          delay(`test ${tried?.environment.id}`, () => {
            if (tried?.credentials && secretIn(tried.credentials).startsWith("wrong")) throw refused;
          }),
      };
      return tester;
    },
    loadEnvironments: () => delay<EnvironmentEntry[]>("list", () => [...environments]),
    vault,
    // Its own tests are in consent.test.ts.
    consent: { isNeeded: async () => false, keep: async () => undefined },
    device: {
      lastEnvironment: () => device.last,
      setLastEnvironment: (id) => void (device.last = id),
    },
    workbook: () => workbook,
    earlier: createEarlierCells({ cells: createCellRegister({ clock }), clock }),
    beginWithDemo: false,
  });
  const bed = {
    connection,
    connects,
    stored,
    settings,
    marked,
    device,
    openTesters,
    /** Told of each connection as it takes effect. */
    onConnect: (() => undefined) as (next: Connection | null) => void,
  };
  return bed;
}

export const secretOf = (clientSecret: string): SupplierCredentials => ({
  consumerId: "my-id",
  clientSecret,
});
export const turns = () => new Promise((resolve) => setImmediate(resolve));
