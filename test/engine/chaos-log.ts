/**
 * Records what the service did to each call, and what follows for cells. A cell's reason must come from a call that carried
 * its item, or from one that may affect the whole operation. No item may be requested while an answer to it is in flight
 * or fresh. This file shares no code with the engine.
 */
import type { ErrorCode } from "../../src/domain/errors";
import type { LoggedCall } from "../helpers/scripted-service";
import { type Fault, faults } from "./chaos-faults";

export interface NotedCall extends Pick<LoggedCall, "operation" | "sentAtMs" | "signal"> {
  /** What the call requests: store and value of each item, or the history's GTIN. */
  readonly keys: readonly string[];
  readonly fault: Fault;
  readonly endsAtMs: number;
  /** Changes after each event that lets an item be requested again: a refresh, a clear, a change of the clock. */
  readonly era: string;
}

export type ChaosLog = ReturnType<typeof createChaosLog>;

export interface CellOfCall {
  readonly operation: "search" | "events";
  readonly key: string;
  readonly askedAtMs: number;
}

/** One failure of these kinds is not enough, because the call is retried. */
const retriedCodes: readonly ErrorCode[] = ["service-down", "timeout", "unreachable", "credentials-refused"];

export function createChaosLog(freshnessMs: number) {
  const calls: NotedCall[] = [];
  const latest = new Map<string, NotedCall>();
  /** Calls refused without naming an item. The engine then sends parts of the call, and one that fails ends the others too. */
  const bisected = new Set<string>();
  /** Items that were requested although their answer was in flight or fresh. */
  const askedTwice: unknown[] = [];
  const setAheadAtMs: number[] = [];

  function note(call: NotedCall): void {
    calls.push(call);
    if (call.operation !== "search") return;
    for (const key of call.keys) {
      const before = latest.get(key);
      latest.set(key, call);
      if (call.fault.code === "refused-request") bisected.add(key);
      if (before === undefined || before.era !== call.era || before.signal.aborted) continue;
      const isInFlight = before.endsAtMs > call.sentAtMs;
      if (bisected.has(key)) continue;
      const isFresh = isAnswered(before, key) && call.sentAtMs - before.sentAtMs < freshnessMs;
      if (isInFlight || isFresh) askedTwice.push([key, before.sentAtMs, call.sentAtMs]);
    }
  }

  /** If the system clock was set ahead during a call, its response seems to be from before a sleep, which is a timeout. */
  function withTimeout(call: NotedCall): NotedCall {
    const seemsLate = setAheadAtMs.some((atMs) => call.sentAtMs <= atMs && atMs <= call.endsAtMs);
    return seemsLate ? { ...call, fault: faults.hang } : call;
  }

  /** Whether an event explains this cell's reason. An event that is not an answer must be new to the cell. */
  function explains({ operation, key, askedAtMs }: CellOfCall, code: ErrorCode): boolean {
    const isOfAll = code === "credentials-refused";
    const own = calls
      .map(withTimeout)
      .filter((call) => isOfAll || call.operation === operation || call.operation === "token");
    const failures = own.filter(({ fault }) => fault.code !== null && retriedCodes.includes(fault.code));
    return own.some((call) => {
      const { kind } = call.fault;
      if (call.fault.code !== code) return false;
      if (kind === "outage") return !retriedCodes.includes(code) || failures.length > 1;
      if (kind === "failure" && code !== "refused-request" && call.endsAtMs < askedAtMs) return false;
      return hits(call, key) || (bisected.has(key) && storeOf(call.keys[0] ?? "") === storeOf(key));
    });
  }

  const noteClockSetAhead = (nowMs: number): void => void setAheadAtMs.push(nowMs);
  return { note, noteClockSetAhead, explains, askedTwice };
}

function isAnswered(call: NotedCall, key: string): boolean {
  const { kind, hits: hit } = call.fault;
  if (kind === "no") return hits(call, key);
  return kind === "answer" || (kind === "failure" && hit < Infinity && !hits(call, key));
}

function hits({ fault, keys }: NotedCall, key: string): boolean {
  const at = keys.indexOf(key);
  return at >= 0 && at < fault.hits;
}

function storeOf(key: string): string | undefined {
  return key.split("/")[0];
}
