/**
 * What the service did to which call, and what follows for cells: the reason of a cell is that of a call that carried
 * its item, or one that may be the whole operation's; and no item is asked for while an answer to it is under way or
 * fresh. It shares no code with the engine.
 */
import type { ErrorCode } from "../../src/domain/errors";
import type { LoggedCall } from "../helpers/scripted-service";
import type { Fault } from "./chaos-faults";

export interface NotedCall extends Pick<LoggedCall, "operation" | "sentAtMs" | "signal"> {
  /** What it asks for: store and value of each item, or the history's GTIN. */
  readonly keys: readonly string[];
  readonly fault: Fault;
  readonly endsAtMs: number;
  /** Another one after whatever lets an item be asked for anew: a refresh, a clear, a clock that is set. */
  readonly era: string;
}

export interface ChaosLog {
  note(call: NotedCall): void;
  /** A refresh of these: its first call, of the first one's store, asks whatever is known. */
  begin(refreshed: readonly string[]): void;
  /** Whether something that happened gives this reason to this cell; what is no answer must be new to it. */
  explains(cell: CellOfCall, code: ErrorCode): boolean;
  /** Items that were asked for although their answer was under way or fresh. */
  readonly askedTwice: readonly unknown[];
}

export interface CellOfCall {
  readonly operation: "search" | "events";
  readonly key: string;
  readonly askedAtMs: number;
}

/** One such failure is not enough: the call is sent again, a test's refused credentials apart. */
const triedAgain: readonly ErrorCode[] = ["service-down", "timeout", "unreachable", "credentials-refused"];

export function createChaosLog(freshnessMs: number): ChaosLog {
  const calls: NotedCall[] = [];
  const latest = new Map<string, NotedCall>();
  /** Refused without a name: from then on parts of that call are sent, and one that fails ends the others too. */
  const bisected = new Set<string>();
  /** What the first calls of refreshes ask for. */
  const probes = new Set<string>();
  const askedTwice: unknown[] = [];

  function begin(refreshed: readonly string[]): void {
    const [first] = refreshed;
    if (first === undefined) return;
    const together = refreshed.filter((key) => storeOf(key) === storeOf(first));
    probes.add([...new Set(together)].join());
  }

  function note(call: NotedCall): void {
    calls.push(call);
    if (call.operation !== "search") return;
    for (const key of call.keys) {
      const before = latest.get(key);
      latest.set(key, call);
      if (call.fault.code === "refused-request") bisected.add(key);
      if (before === undefined || before.era !== call.era || before.signal.aborted) continue;
      const isUnderWay = before.endsAtMs > call.sentAtMs;
      if (bisected.has(key) || [before, call].some(({ keys }) => probes.has(keys.join()))) continue;
      const isFresh = isAnswered(before, key) && call.sentAtMs - before.sentAtMs < freshnessMs;
      if (isUnderWay || isFresh) askedTwice.push([key, before.sentAtMs, call.sentAtMs]);
    }
  }

  function explains({ operation, key, askedAtMs }: CellOfCall, code: ErrorCode): boolean {
    const isOfAll = code === "credentials-refused";
    const own = calls.filter((call) => isOfAll || call.operation === operation || call.operation === "token");
    const failures = own.filter(({ fault }) => fault.code !== null && triedAgain.includes(fault.code));
    return own.some((call) => {
      const { kind } = call.fault;
      if (call.fault.code !== code) return false;
      // A test has its token renewed before it begins: the first refusal is that of a new one.
      const isTest = call.operation === "search" && call.keys.length === 0;
      if (kind === "outage") return !triedAgain.includes(code) || failures.length > 1 || (isOfAll && isTest);
      if (kind === "failure" && code !== "refused-request" && call.endsAtMs < askedAtMs) return false;
      return hits(call, key) || (bisected.has(key) && storeOf(call.keys[0] ?? "") === storeOf(key));
    });
  }

  return { note, begin, explains, askedTwice };
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
