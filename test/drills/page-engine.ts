/**
 * A person's page without a browser: INV's engine, connected as a page to a team's server, and the function that forwards
 * its calls.
 */
import { type Agent, request } from "undici";
import type { Transport } from "../../src/api/transport";
import { createEngine } from "../../src/engine/engine";
import type { Engine } from "../../src/engine/types";
import { systemClock } from "../helpers/system-clock";
import { account, environmentId } from "./cluster";

/** `base` is the relay's address of the environment; `limit` is the quota's calls in any 60 seconds. */
export function openPageEngine(base: string, limit: number, transport: Transport): Engine {
  const engine = createEngine({ clock: systemClock, transport });
  engine.connect({
    environment: {
      id: environmentId,
      label: "Drill",
      kind: "sandbox",
      tokenUrl: `${base}/token`,
      searchUrl: `${base}/search-items`,
      eventsUrl: `${base}/events`,
      quota: { search: limit, events: limit },
      pacedBy: "server",
      credentials: "user",
    },
    credentials: { consumerId: account.consumer_id, clientSecret: account.client_secret },
  });
  engine.configure({ askAboveCalls: 0 });
  return engine;
}

/** The body is an argument, because a request's body can be read only once. */
export async function forward(
  sent: Request,
  {
    url,
    content,
    dispatcher,
  }: { readonly url: string; readonly content: string; readonly dispatcher: Agent },
): Promise<Response> {
  const { statusCode, headers, body } = await request(url, {
    method: sent.method as "GET" | "POST",
    headers: Object.fromEntries(sent.headers),
    body: content,
    signal: sent.signal,
    dispatcher,
  });
  const text = await body.text();
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(text, { status: statusCode, headers: fields });
}
