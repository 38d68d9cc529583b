/** What a scenario of `chaos` is made of, and what its steps and calls are about. */
import type { ItemQuery } from "../../src/domain/records";
import type { LoggedCall } from "../helpers/scripted-service";
import { item } from "./bed";
import { itemNumbered } from "./chaos-cells";
import type { Fault, FaultName } from "./chaos-faults";

export interface Scenario {
  readonly quota: number;
  readonly seed: number;
  /** What a turn of the event loop takes; with 0 the clocks are one, but for where the system's is set. */
  readonly turnMs: number;
  /** Above so many calls a person is asked; 0 asks never. */
  readonly askAboveCalls: number;
  readonly steps: readonly Step[];
  /** What becomes of each call in turn: its fault, and how long it takes. */
  readonly calls: readonly (readonly [fault: FaultName, latencyMs: number])[];
}

export interface Step {
  readonly afterMs: number;
  readonly kind: "items" | "burst" | "histories" | "refresh" | "formulas" | "other";
  /** Which items or histories. */
  readonly numbers: readonly number[];
  readonly other:
    | "cancel"
    | "clear"
    | "connect"
    | "disconnect"
    | "try again"
    | "clock"
    | "offline"
    | "online"
    | "freshness"
    | "approve"
    | "rename";
}

/** Of the call with which a refresh of nothing known begins: no cell's. */
const harmlessStore = 1_234;
/** Cells of one store that a burst asks for with each of its numbers: with all eight, more than a call holds. */
const cellsOfANumber = 20;

/** Many cells of one store, and each numbered item beside them. */
export function burstOf(numbers: readonly number[]): readonly ItemQuery[] {
  const store = (numbers[0] ?? 0) % 3;
  const many = Array.from({ length: numbers.length * cellsOfANumber }, (_, index) => item(store, 1 + index));
  return [...many, ...numbers.map(itemNumbered)];
}

export function keysOf({ operation, store, values, url }: LoggedCall): readonly string[] {
  if (store === harmlessStore) return [];
  if (operation === "search") return values.map((value) => `${store}/${value}`);
  return operation === "events" ? [url.searchParams.get("gtin") ?? ""] : [];
}

/** A page that is refused breaks its history off. */
export function asSeen(fault: Fault, { operation, url }: LoggedCall): Fault {
  const isLaterPage = operation === "events" && url.searchParams.has("page_token");
  const isRefusal = fault.code === "refused-request" || fault.kind === "no";
  return isLaterPage && isRefusal ? { ...fault, kind: "failure", code: "bad-answer" } : fault;
}

/** A work names each query once. */
export function eachOnce<T>(queries: readonly T[], nameOf: (query: T) => string): readonly T[] {
  return [...new Map(queries.map((query) => [nameOf(query), query])).values()];
}
