/**
 * The event codes of the transaction history as documented: category, code, meaning. The service sends
 * codes outside the table too (`LP` and `POF` in its own sample), so unknown codes are passed on, with
 * a blank meaning, and never refused for being unknown.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";

export interface EventType {
  readonly category: string;
  readonly code: string;
  readonly meaning: string;
}

const table: Readonly<Record<string, readonly (readonly [code: string, meaning: string])[]>> = {
  "Sales and returns": [
    ["SALES", "Store-level sales transactions"],
    ["RETURNS", "Customer returns to stores after purchase"],
  ],
  "Store receiving": [
    ["LR", "Store receiving (legacy receiving): supplier deliveries logged at the store"],
    ["SI", "Store inbound (in transit): products scanned as en route to the store"],
    ["SILR", "Reconciliation when SI differs from LR"],
  ],
  "Store inventory and adjustments": [
    ["BR", "Backroom adjustments: internal store movements or stock corrections"],
    ["SBC", "Store available/claims state clean-up"],
    ["PI", "Inventory adjustment, manual or system-initiated"],
    ["IL", "Store bootstrap: reinitialises store inventory state"],
    ["DS", "Snapshot (promotion or turn) for reporting and audits"],
  ],
  "DC-level events": [
    ["DA", "DC available adjustments"],
    ["RA", "Regional warehouse order download: orders from stores to regional DCs"],
    ["DO", "DC physical outs: stock shipped out of DCs"],
    ["DR", "DC receiving"],
    ["DV", "DC voids: voided shipments or cancelled inventory"],
    ["DP", "DC picks"],
    ["PR", "DC pick reversal"],
    ["DX", "DC systems out"],
  ],
  "System events": [
    ["PCID", "Prime CID refresh: internal trigger, no inventory impact"],
    ["CDV2", "Aggregated CDC connector: data sync, not inventory changing"],
    ["CDC", "DC GTIN prime: product master data update, no movement"],
    ["NB", "Replays old events, for historical correction"],
  ],
};

/** All documented event types, in the order of the document. */
export const eventTypes: readonly EventType[] = Object.entries(table).flatMap(([category, rows]) =>
  rows.map(([code, meaning]) => ({ category, code, meaning })),
);

const meanings = new Map(eventTypes.map(({ code, meaning }) => [code, meaning]));

/** What the code means; "" for a code that is not documented. */
export function meaningOf(code: string): string {
  return meanings.get(code) ?? "";
}

/** An event code in capitals, documented or not; the service refuses special characters and bare numbers. */
export function parseEventType(input: Plain): string | InvError {
  const code = cleanText(String(input)).toUpperCase();
  if (typeof input === "string" && /^[A-Z][A-Z0-9]{0,15}$/.test(code)) return code;
  return badArgument("event_type", {
    expected: "an event code such as SALES",
    received: shown(input),
    todo: "=INV.EVENTTYPES() lists the codes.",
  });
}
