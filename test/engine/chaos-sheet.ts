/**
 * Formulas of a scenario: quantities and sums of events on two sheets, which the functions themselves calculate and which
 * are renamed. The file compares the register's sums, its unanswered cells and the age of the stock with the actual cells.
 */
import { type InvCell, createCellRegister } from "../../src/cells/cell-register";
import { cellErrorOf, type ErrorCode, isUnanswered } from "../../src/domain/errors";
import type { Engine } from "../../src/engine/types";
import { eventQuantity } from "../../src/functions/catalogue/events";
import { qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { renamedAddress } from "../../src/workbook/addresses";
import { createStockAge } from "../../src/workbook/refresh/stock-age";
import { contextOn } from "../functions/fakes";
import { quantityOf } from "../helpers/scripted-service";
import type { VirtualClock } from "../helpers/virtual-clock";
import { historyNumbered, itemNumbered, type Verify } from "./chaos-cells";
import { callStep } from "./chaos-faults";

/** Answers of the service or about a formula's arguments, for which a retry is useless. */
const answers: readonly ErrorCode[] = [
  "no-data",
  "refused-value",
  "refused-request",
  "bad-argument",
  "too-large",
];
const names = ["Plan", "Other", "Week 47"];

/** A formula as seen from outside. */
interface Formula {
  open: number;
  /** Whether the formula was calculated again while it waited. */
  isShared: boolean;
  /** What the formula showed last. */
  shown: unknown;
}

export function createChaosSheet({
  clock,
  engine,
  freshnessMs,
  verify,
}: {
  readonly clock: VirtualClock;
  readonly engine: () => Engine;
  readonly freshnessMs: () => number;
  readonly verify: Verify;
}) {
  const cells = createCellRegister({
    clock,
    reasons: {
      because: (...given) => engine().unanswered.because(...given),
      get size() {
        return engine().unanswered.size;
      },
      get version() {
        return engine().unanswered.version;
      },
    },
  });
  const stock = createStockAge({
    cells,
    // Without timers the register never checks by itself.
    clock: { ...clock, now: () => clock.now(), setTimeout: () => null },
    settings: sourceOf(() => ({ freshnessMinutes: freshnessMs() / 60_000 })),
    nextRefresh: sourceOf(() => null),
  });
  const sheets = names.slice(0, 2);
  let formulas = new Map<string, Formula>();
  let open = 0;

  startFunctions({
    ...contextOn(clock),
    get engine() {
      return engine();
    },
    cells,
    environmentId: () => engine().connection?.environment.id ?? null,
  });

  function calculate(numbers: readonly number[]): void {
    for (const number of numbers) {
      // Each row is on both sheets.
      const row = 1 + (number >> 1);
      const address = renamedAddress(`X!C${row}`, { from: "X", to: sheets[number % 2] ?? "" });
      const own = formulas.get(address) ?? { open: 0, isShared: false, shown: null };
      formulas.set(address, own);
      own.isShared = own.open > 0;
      own.open += 1;
      open += 1;
      const end = (value: unknown): void => {
        open -= 1;
        own.open -= 1;
        own.shown = value;
        if (typeof value === "number") verify(isRight(number, value), "a formula's number", number, value);
        else verify(typeof value === "object" && value !== null && "code" in value, "a formula's end", value);
      };
      calculated(number, { functionName: "QTY", address }).then(([row]) => end(row?.[0]), end);
    }
  }

  /** Renames one of its sheets, possibly to the name of a sheet that no longer exists. */
  function rename(number: number): void {
    const which = number % 2;
    const from = sheets[which] ?? "";
    const others = names.filter((name) => name !== from);
    const to = others[(number >> 1) % others.length] ?? "";
    const spell = (address: string): string => renamedAddress(address, { from, to });
    // A sheet of that name was deleted and nobody has checked yet, so its formulas no longer exist.
    const moved = [...formulas].filter(([address]) => spell(address) !== address);
    formulas = new Map([
      ...[...formulas].filter(([address]) => spell(address) === address),
      ...moved.map(([address, formula]) => [spell(address), formula] as const),
    ]);
    sheets[which] = to;
    const other = 1 - which;
    if (sheets[other] === to) sheets[other] = names.find((name) => name !== to && name !== from) ?? "";
    cells.respellAddresses(spell);
  }

  function check(): void {
    const all = [...cells.all()];
    const addresses = all.map(({ address }) => address).sort();
    const expectedAddresses = [...formulas.keys()].sort();
    verify(
      addresses.join() === expectedAddresses.join(),
      "the register's cells",
      addresses,
      expectedAddresses,
    );
    const settled = all.filter(({ state }) => state !== "waiting");
    const count = (isOne: (cell: InvCell) => boolean): number => all.filter(isOne).length;
    const oldestMs = least(settled.map((cell) => cell.oldestMs));
    const newestMs = least(settled.map((cell) => cell.newestMs && -cell.newestMs));
    const expected = {
      cells: all.length,
      waiting: count(({ state }) => state === "waiting"),
      isCalculating: settled.length < all.length,
      none: count((cell) => shows(cell) === "#N/A"),
      unanswered: count(
        ({ state, error }) => state === "problem" && error !== null && isUnanswered(error.code),
      ),
      invalidArguments: count(isMistyped),
      failed: count(
        (cell) =>
          shows(cell) === "#VALUE!" && !isMistyped(cell) && !isUnanswered(cell.error?.code ?? "internal"),
      ),
      latestUnanswered: settled.filter((cell) => cells.unansweredBecause(cell) !== null).length,
      oldestMs,
      newestMs: newestMs === null ? null : -newestMs,
      uncalculated: null,
    };
    const sums = cells.summary();
    verify(JSON.stringify(sums) === JSON.stringify(expected), "the register's sums", sums, expected);
    for (const cell of settled) {
      const { address, state, error } = cell;
      const isAnswered =
        state === "value" || (state === "problem" && answers.includes(error?.code ?? "internal"));
      if (!isAnswered) {
        verify(
          cells.unansweredBecause(cell) !== null,
          "no reason for a cell without an answer",
          address,
          state,
          error?.code,
        );
      }
      const of = formulas.get(address);
      const isNumber = state === "value" || state === "stale";
      // The register follows the latest calculation, so an earlier one may still be open.
      if (of?.isShared === true) continue;
      const isSame = of?.open === 0 && isNumber === (typeof of.shown === "number");
      verify(isSame, "register and cell differ", address, state, of);
    }
    verify(stock.get().asOf === oldestMs, "the age of the stock", stock.get().asOf, oldestMs);
    const isFromFuture = -(newestMs ?? 0) > clock.now() + 60_000;
    const isOld = isFromFuture || (oldestMs !== null && clock.now() - oldestMs > freshnessMs());
    verify(stock.get().isOld === isOld, "whether the stock is old", isOld);
  }

  return {
    cells,
    calculate,
    rename,
    check,
    get open() {
      return open;
    },
  };
}

function sourceOf<T>(get: () => T): { get: () => T; subscribe: () => () => void } {
  return { get, subscribe: () => () => undefined };
}

function isMistyped({ state, error }: InvCell): boolean {
  return state === "problem" && error?.code === "bad-argument";
}

function shows({ state, error }: InvCell): string | null {
  return state === "problem" && error !== null ? cellErrorOf(error.code) : null;
}

function least(times: readonly (number | null)[]): number | null {
  const known = times.filter((timeMs) => timeMs !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Below 24 it is a quantity. From 24 on it is a sum of events, of a type that the histories contain or one that they don't. */
function calculated(number: number, invocation: CustomFunctions.Invocation): Promise<unknown[][]> {
  if (number < 24) {
    const { storeNumber, value } = itemNumbered(number);
    return qty([[storeNumber]], [[value]], undefined, undefined, undefined, invocation);
  }
  const { storeNumber, gtin, eventType = unseen } = historyNumbered(number);
  return eventQuantity([[storeNumber]], [[gtin]], [[eventType]], undefined, undefined, undefined, invocation);
}

/** An event type that is documented but in no history. */
const unseen = "RETURNS";

/** Quantities and events contain the number of their call. No history contains returns. */
function isRight(number: number, value: number): boolean {
  if (number < 24) {
    const { storeNumber, value: gtin } = itemNumbered(number);
    return (value - quantityOf(storeNumber, gtin)) % callStep === 0;
  }
  const { eventType = unseen } = historyNumbered(number);
  return eventType === unseen ? value === 0 : value >= 0 && value % 1 === 0;
}
