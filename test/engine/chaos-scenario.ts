/** The parts of a scenario of `chaos`, and the items that its steps and calls are about. */
import type { ItemQuery } from "../../src/domain/records";
import type { LoggedCall } from "../helpers/scripted-service";
import { item } from "./bed";
import { itemNumbered } from "./chaos-cells";
import type { Fault, FaultName } from "./chaos-faults";

export interface Scenario {
  readonly quota: number;
  readonly seed: number;
  /** Milliseconds that a turn of the event loop takes. With 0, both clocks agree except where the system time is set. */
  readonly turnMs: number;
  /** Number of calls above which a person is asked; 0 means never. */
  readonly askAboveCalls: number;
  readonly steps: readonly Step[];
  /** What happens to each call in turn: its fault and its latency. */
  readonly calls: readonly (readonly [fault: FaultName, latencyMs: number])[];
}

export interface Step {
  readonly afterMs: number;
  readonly kind: "items" | "burst" | "histories" | "refresh" | "formulas" | "other";
  readonly numbers: readonly number[];
  readonly other:
    | "cancel"
    | "clear"
    | "connect"
    | "disconnect"
    | "try again"
    | "clock"
    | "freshness"
    | "approve"
    | "rename";
}

/** Cells of one store in a burst for each of its numbers. All eight numbers exceed one call. */
const cellsOfANumber = 20;

/** Many cells of one store, and each numbered item. */
export function burstOf(numbers: readonly number[]): readonly ItemQuery[] {
  const store = (numbers[0] ?? 0) % 3;
  const many = Array.from({ length: numbers.length * cellsOfANumber }, (_, index) => item(store, 1 + index));
  return [...many, ...numbers.map(itemNumbered)];
}

export function keysOf({ operation, store, values, url }: LoggedCall): readonly string[] {
  if (operation === "search") return values.map((value) => `${store}/${value}`);
  return operation === "events" ? [url.searchParams.get("gtin") ?? ""] : [];
}

/** A refused later page ends its history early. */
export function faultOfPage(fault: Fault, { operation, url }: LoggedCall): Fault {
  const isLaterPage = operation === "events" && url.searchParams.has("page_token");
  const isRefusal = fault.code === "refused-request" || fault.kind === "no";
  return isLaterPage && isRefusal ? { ...fault, kind: "failure", code: "bad-answer" } : fault;
}

/** A work contains each query once. */
export function unique<T>(queries: readonly T[], nameOf: (query: T) => string): readonly T[] {
  return [...new Map(queries.map((query) => [nameOf(query), query])).values()];
}
