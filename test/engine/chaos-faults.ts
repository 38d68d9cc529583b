/**
 * Faults of the service or of the network to it, and the reason that cells may end with because of each. The quantities
 * of an answer contain the number of its call.
 */
import type { ErrorCode } from "../../src/domain/errors";
import {
  gateway,
  inventory,
  type LoggedCall,
  offender,
  problem,
  record,
  type Scripted,
} from "../helpers/scripted-service";

/** Quantities of different calls differ by more than those of different items. */
export const callStep = 1_000_000;
/** More than the answer of a full call. */
export const maxAnswerBytes = 40_000;

export interface Fault {
  readonly answer: (call: LoggedCall) => Scripted;
  /**
   * `answer`: no fault. `again`: the call's items are requested again. `no`: an answer that may be given again.
   * `failure`: only the call's items have no answer. `outage`: it may affect all calls.
   */
  readonly kind: "answer" | "again" | "no" | "failure" | "outage";
  readonly code: ErrorCode | null;
  /** Number of values, from the first, that the fault affects. The others are answered. */
  readonly hits: number;
  /** Token requests can have only faults of the network (`way`). Histories can't have those of items. */
  readonly of: "way" | "data" | "items";
}

const web = { headers: { "content-type": "text/html" } };

export const faults = {
  none: answers("way", () => undefined),
  reordered: answers("items", (call) => itemsOf(call, [...call.values].reverse())),
  repeated: answers("items", (call) => itemsOf(call, [...call.values, ...call.values.slice(0, 9)])),
  "429": throttles({ "retry-after": "1" }),
  "429 without a time": throttles({}),
  "500": outage("service-down", () => problem(500, "one or more services are unavailable")),
  hang: outage("timeout", () => "hang"),
  reset: outage("unreachable", () => "reset"),
  "broken off 200": outage("unreachable", () => cutOff(200)),
  "broken off 400": outage("unreachable", () => cutOff(400)),
  "broken off 404": outage("unreachable", () => cutOff(404)),
  "expired token": stops("credentials-refused", () => gateway(401, "token validation failed")),
  "not subscribed": stops("not-subscribed", () => gateway(403, "not subscribed")),
  "wrong address": stops("wrong-address", () => new Response("<html>404</html>", { status: 404 })),
  "web page": stops("wrong-address", () => new Response("<html>login</html>", web)),
  "broken JSON": fails("bad-answer", () => new Response('{"items":[{"gtin":"000')),
  "other shape": fails("bad-answer", () => Response.json({ items: "none" })),
  "too large": fails("too-large", () => new Response("x".repeat(maxAnswerBytes + 1))),
  "400 without a name": fails("refused-request", () => problem(400, "invalid parameters received", [])),
  "other store": {
    ...fails("bad-answer", (call) => inventory({ ...call, store: call.store + 1 })),
    of: "items",
  },
  short: { ...fails("missing-answer", (call) => itemsOf(call, call.values.slice(1))), hits: 1, of: "items" },
  "no data": { ...fails("no-data", () => problem(404, "No data found")), kind: "no" },
  "400 with names": {
    ...fails("refused-value", ({ values }) => problem(400, "invalid", values.slice(0, 2).map(named))),
    kind: "no",
    hits: 2,
    of: "items",
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

function answers(of: Fault["of"], answer: Fault["answer"]): Fault {
  return { answer, kind: "answer", code: null, hits: 0, of };
}

function throttles(headers: Record<string, string>): Fault {
  const answer = (): Response => new Response("", { status: 429, headers });
  return { answer, kind: "again", code: null, hits: 0, of: "way" };
}

function outage(code: ErrorCode, answer: Fault["answer"]): Fault {
  return { answer, kind: "outage", code, hits: Infinity, of: "way" };
}

function stops(code: ErrorCode, answer: Fault["answer"]): Fault {
  return { ...outage(code, answer), of: "data" };
}

function fails(code: ErrorCode, answer: Fault["answer"]): Fault {
  return { answer, kind: "failure", code, hits: Infinity, of: "data" };
}

function named(value: string, index: number): Record<string, string> {
  return offender(index, value);
}

function cutOff(status: number): Response {
  return new Response('{"type":"x","detail":"No da', { status, breaks: true } as ResponseInit);
}

function itemsOf(call: LoggedCall, values: readonly string[]): Response {
  const version = call.number * callStep;
  return Response.json({ store_nbr: call.store, items: values.map((value) => record(call, value, version)) });
}
