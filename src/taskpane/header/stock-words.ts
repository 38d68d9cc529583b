/** Words for INV's state and the age of the stock, for both headers: the pane's and the browser workbook's. */
import type { ConnectionState } from "../../connection/types";
import type { Progress } from "../../engine/types";
import type { StockAge } from "../../workbook/refresh/stock-age";
import { duration, timeOfDay, zoneWords } from "../parts/words";

export interface StockWords {
  /** "" if there is nothing to say. */
  readonly text: string;
  /** True for old values and a failed refresh. */
  readonly isWarning: boolean;
}

export const whichValues = "Show which values are old";

/** The state in a few words. It is `Ready` only if the service has answered for everything that the workbook shows. */
export function stateWord(
  { environment, ready, hasCredentials, awaitsConsent }: ConnectionState,
  { busy, faults, quota }: Progress,
  { isAnswered, isWaiting }: Pick<StockAge, "isAnswered" | "isWaiting">,
): string {
  if (environment === null) return ready ? "Not connected" : "Starting…";
  if (awaitsConsent) return "Not allowed yet";
  if (faults.some(({ error }) => error.code === "signed-out")) return "Signed out";
  if (!hasCredentials) return environment.credentials === "server" ? "Signed out" : "No credentials";
  if (faults.length > 0) return "Stopped";
  if (quota.search.awaitsSharedStore || quota.events.awaitsSharedStore) return "Server waits";
  if (busy || isWaiting) return "Busy…";
  return isAnswered ? "Ready" : "Not up to date";
}

/** For younger values, the time alone is enough. */
const worthAnAgeMs = 60_000;

export function stockWords(age: StockAge, nowMs: number): StockWords {
  const { asOf, failedAtMs, isOld, nextRefreshMs } = age;
  const facts: string[] = [];
  if (asOf === "unknown") {
    if (isOld) facts.push("age of some stock unknown");
  } else if (asOf !== null) {
    facts.push(`stock as of ${timeOfDay(asOf, nowMs)} ${zoneWords(asOf)}`);
    if (nowMs - asOf >= worthAnAgeMs) facts.push(`${duration(nowMs - asOf)} old`);
    if (asOf - nowMs >= worthAnAgeMs) facts.push("later than this computer's clock");
  }
  if (failedAtMs !== null) facts.push(`last refresh failed ${timeOfDay(failedAtMs, nowMs)}`);
  if (nextRefreshMs !== null) facts.push(`next refresh ${timeOfDay(nextRefreshMs, nowMs)}`);
  const text = facts.join(", ");
  return {
    text: text.charAt(0).toUpperCase() + text.slice(1),
    isWarning: isOld || failedAtMs !== null,
  };
}
