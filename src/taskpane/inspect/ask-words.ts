/** What asking for the rest of a cell costs, in words. Pure. */
import type { Found } from "../../workbook/inspect/look";
import { counted, duration } from "../parts/words";

export function lookPrice({ price, item, history }: Found, nowMs: number): string {
  if (price === null) return "";
  const { searchCalls, eventCallsAtLeast } = price;
  const parts: string[] = [];
  if (searchCalls > 0) parts.push(`${counted(searchCalls, "call")} for its stock`);
  if (eventCallsAtLeast > 0) parts.push(`at least ${counted(eventCallsAtLeast, "call")} for its events`);
  const cost = `${capital(parts.join(" and "))}.`;
  if (item && searchCalls > 0) return `The stock is ${duration(nowMs - item.fetchedAtMs)} old. ${cost}`;
  if (history && eventCallsAtLeast > 0) {
    return `The events are ${duration(nowMs - history.fetchedAtMs)} old. ${cost}`;
  }
  return cost;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
