/** What a service, or the way to it, may do to a call. The number of the call is told in its quantities. */
import {
  gateway,
  type LoggedCall,
  offender,
  problem,
  record,
  type Scripted,
} from "../helpers/scripted-service";

/** Quantities of another call differ by more than those of other items. */
export const callStep = 1_000_000;

type Fault = (call: LoggedCall) => Scripted;

const cutOff = (status: number): Response =>
  new Response('{"type":"x","detail":"No da', { status, breaks: true } as ResponseInit);

export const faults: Readonly<Record<string, Fault>> = {
  none: () => undefined,
  "429": () => new Response("", { status: 429, headers: { "retry-after": "1" } }),
  "429 without a time": () => new Response("", { status: 429 }),
  "500": () => problem(500, "one or more services are unavailable"),
  hang: () => "hang",
  reset: () => "reset",
  "expired token": () => gateway(401, "token validation failed"),
  "not subscribed": () => gateway(403, "not subscribed"),
  "wrong address": () => new Response("<html>404</html>", { status: 404 }),
  "broken JSON": () => new Response('{"items":[{"gtin":"000'),
  "broken off 200": () => cutOff(200),
  "broken off 400": () => cutOff(400),
  "broken off 404": () => cutOff(404),
  "400 without a name": () => problem(400, "invalid request parameters received", []),
  "400 with names": ({ values }) =>
    problem(
      400,
      "invalid",
      values.slice(0, 2).map((value, index) => offender(index, value)),
    ),
  "no data": () => problem(404, "No data found"),
  short: (call) => itemsOf(call, call.values.slice(1)),
  reordered: (call) => itemsOf(call, [...call.values].reverse()),
};
/** These know of items only; and a token request knows only the faults of the way. */
export const ofItems = /short|reordered/;
export const ofTheWay = /429|500|hang|reset|broken off/;

function itemsOf(call: LoggedCall, values: readonly string[]): Response {
  const version = call.number * callStep;
  return Response.json({ store_nbr: call.store, items: values.map((value) => record(call, value, version)) });
}
