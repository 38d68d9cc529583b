/**
 * What a copy with values and a download say about their values: where they are from, and how old they are. Both say it in the same
 * words, with the environment's label and times in UTC, because other people read them elsewhere.
 */
import { utcMinute } from "../../domain/dates";
import type { AsOf } from "../refresh/earlier-values";

export interface ValueFacts {
  /** The environment's label; "" if there is none. */
  readonly environment: string;
  readonly asOf: AsOf;
  /** Addresses of the cells that show their last known answer, as the reader finds them. */
  readonly stale: readonly string[];
}

/** Addresses of stale cells in the line. */
const mostNamed = 8;

/** @param action what the values are, and what INV does: `Values of "Plan", copied` */
export function sourceLine(action: string, environment: string, nowMs: number): string {
  return `${action} ${utcMinute(nowMs)} UTC. Environment: ${environment === "" ? "none" : environment}.`;
}

export function ageLine({ asOf, stale }: Omit<ValueFacts, "environment">): string {
  const oldest = asOfWords(asOf);
  if (stale.length === 0) return oldest;
  const named = stale.slice(0, mostNamed).join(", ");
  const others = stale.length > mostNamed ? ` and ${stale.length - mostNamed} more` : "";
  return `${oldest} Not answered, last known values: ${named}${others}.`;
}

function asOfWords(asOf: AsOf): string {
  if (asOf === null) return "No cell shows a value of the service.";
  return asOf === "unknown"
    ? "Some values are of unknown age."
    : `The oldest value was fetched ${utcMinute(asOf)} UTC.`;
}
