/** Causes of failed calls: the cell's error names a request, and that request's line in the log names the cause. */
import { createServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buildSearchRequest, readSearchResponse } from "../../src/api/search-items";
import type { Environment } from "../../src/domain/environment";
import { createLog } from "../../src/server/monitoring/log";
import { createMetrics } from "../../src/server/monitoring/metrics";
import type { Company } from "../../src/server/shared-quota/company";
import { unavailableRefusal, ownRefusal } from "../../src/server/shared-quota/headers";
import type { ServerCredentials } from "../../src/server/relay/server-credentials";
import { createUpstream } from "../../src/server/relay/upstream";
import { protocolDetails } from "../../src/taskpane/refresh/problem-rows";
import { selfSigned } from "../helpers/certificate";
import { openRelay } from "./beds";
import { pageToken, looseCompany } from "./parts";

const environment: Environment = {
  id: "live",
  label: "Live",
  kind: "production",
  tokenUrl: "https://inv.example/relay/live/token",
  searchUrl: "https://inv.example/relay/live/search-items",
  eventsUrl: "https://inv.example/relay/live/events",
  quota: { search: 600, events: 600 },
  credentials: "user",
};
const query = { storeNumber: 1234, itemType: "gtin", values: ["00012345678905"] } as const;

type End = () => void;
const ends: End[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listens(listener: RequestListener, tls?: { cert: string; key: string }): Promise<string> {
  const server = tls === undefined ? createServer(listener) : createHttpsServer(tls, listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}/`;
}

async function closedPort(): Promise<string> {
  const url = await listens(() => undefined);
  ends.pop()?.();
  return url;
}

interface How {
  company?: Company;
  token?: string;
  consumerId?: string;
  serverCredentials?: ServerCredentials;
}

/** Returns what the pane shows for a failed lookup, and what the server logs and counts. */
async function fail(
  address: string,
  { company = looseCompany(), token = pageToken, consumerId = "us", serverCredentials }: How = {},
) {
  const lines: string[] = [];
  const log = createLog("info", (line) => lines.push(line));
  const metrics = createMetrics();
  const upstream = createUpstream({ answerTimeoutMs: 300, totalTimeoutMs: 900 });
  const url = new URL(address);
  const fastify = await openRelay({
    send: upstream.send,
    targets: [
      {
        id: "live",
        tokenUrl: url,
        searchUrl: url,
        eventsUrl: url,
        ...(serverCredentials && { serverCredentials }),
      },
    ],
    company,
    maxAnswerBytes: 1_000,
    answered(call) {
      log.call(call);
      metrics.answered(call);
    },
  });
  ends.push(
    () => void fastify.close(),
    () => void upstream.close(),
  );
  const request = buildSearchRequest(environment, query, {
    accessToken: token,
    consumerId,
  });
  const given = await fastify.inject({
    method: "POST",
    url: "/relay/live/search-items",
    headers: { ...Object.fromEntries(request.headers), "inv-request-id": "a page's own" },
    payload: await request.text(),
  });
  const response = new Response(new Uint8Array(given.rawPayload), {
    status: given.statusCode,
    headers: Object.entries(given.headers).map(([name, value]): [string, string] => [name, String(value)]),
  });
  const outcome = await readSearchResponse(response, query, { maxBytes: 1_000, secrets: [] });
  const item = outcome.kind === "items" ? outcome.items[0] : outcome;
  if (item === undefined || !("error" in item)) throw new Error("The lookup did not fail.");
  const line = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
  return { shown: protocolDetails(item.error), line, figures: await metrics.text() };
}

it.each<[string, () => Promise<string>, object]>([
  [
    "an unknown host",
    async () => "http://inventory.invalid/",
    { code: /^E(NOTFOUND|AI_AGAIN)$/, phase: "connect" },
  ],
  ["a closed port", closedPort, { code: /^ECONNREFUSED$/, phase: "connect" }],
  [
    "an untrusted certificate",
    () => listens(() => undefined, selfSigned()),
    { code: /^DEPTH_ZERO_SELF_SIGNED_CERT$/, phase: "connect" },
  ],
  ["silence", () => listens(() => undefined), { code: /TIMEOUT$/, phase: "request" }],
  [
    "an answer that breaks off",
    () => listens((_request, response) => void response.write("{", () => response.destroy())),
    { code: /^(UND_ERR_SOCKET|ECONNRESET)$/, phase: "answer" },
  ],
  [
    "an answer that arrives byte by byte",
    () =>
      listens((_request, response) => {
        response.write("{");
        const drops = setInterval(() => response.write(" "), 100);
        response.once("close", () => clearInterval(drops));
      }),
    { code: /^TOTAL_TIMEOUT$/, phase: "answer" },
  ],
  [
    "an answer that is too large",
    () => listens((_request, response) => void response.end("x".repeat(2_000))),
    { code: /^TOO_LARGE$/, phase: "answer" },
  ],
])("%s has its own cause in the log, under the id that the pane shows", async (_, open, expected) => {
  const { code, phase } = expected as { code: RegExp; phase: string };
  const { shown, line, figures } = await fail(await open());
  expect(line).toMatchObject({ by: "network", phase, operation: "search", environment: "live" });
  expect(line.code).toMatch(code);
  expect(line.id).toMatch(/^[0-9a-f]{12}$/);
  expect(shown).toContain(`request ${String(line.id)}`);
  expect(figures).toContain(`by="network",code="${String(line.code)}"} 1`);
});

const answers =
  (status: number, body = "", headers = {}) =>
  () =>
    listens((_request, response) => void response.writeHead(status, headers).end(body));
const refusedCredentials: ServerCredentials = {
  consumerId: "us",
  admit: () => Promise.resolve({ kind: "out" }),
  confirm: () => Promise.resolve({ kind: "out" }),
  token: () => Promise.resolve({ kind: "refused" }),
  refused: () => undefined,
  worked: () => undefined,
};
const companyThatSays = (answer: ReturnType<typeof ownRefusal>): Company => ({
  search: async () => answer,
  events: async () => answer,
});

it.each([
  // The contract has only one 429: the account's quota. A gateway's own 429 would look the same.
  ["the service's 429", answers(429), {}, { status: 429, by: "service", code: "" }],
  ["the service's 503", answers(503), {}, { status: 503, by: "service", code: "" }],
  ["a refused token", answers(401), {}, { status: 401, by: "service", code: "" }],
  ["a missing subscription", answers(403), {}, { status: 403, by: "service", code: "" }],
  ["a wrong path", answers(404), {}, { status: 404, by: "service", code: "" }],
  ["a redirect", answers(302), {}, { status: 302, by: "service", code: "" }],
  ["a web page", answers(200, "<html>"), {}, { status: 200, by: "service", code: "unreadable" }],
  ["an empty answer", answers(200), {}, { status: 200, by: "service", code: "unreadable" }],
  ["JSON that breaks off", answers(200, '{"items":['), {}, { status: 200 }],
  ["JSON without items", answers(200, "{}"), {}, { status: 200 }],
  [
    "an answer that leaves the item out",
    answers(200, '{"items":[]}', { "content-type": "application/json" }),
    {},
    { status: 200 },
  ],
  [
    "INV's own 429",
    closedPort,
    { company: companyThatSays(ownRefusal(5_000)) },
    { status: 429, by: "inv", code: "quota" },
  ],
  [
    "a 429 while Redis is away",
    closedPort,
    { company: companyThatSays(unavailableRefusal(5_000)) },
    { status: 429, by: "inv", code: "redis" },
  ],
  [
    "a token that the server does not know",
    closedPort,
    { token: "another" },
    { status: 401, by: "inv", code: "token" },
  ],
  [
    "the token of another consumer",
    closedPort,
    { consumerId: "them" },
    { status: 403, by: "inv", code: "refused" },
  ],
  [
    "credentials of the server that the service refuses",
    closedPort,
    { serverCredentials: refusedCredentials },
    { status: 401, by: "inv", code: "credentials" },
  ],
])("%s is logged with who refused", async (_, open, how, expected) => {
  const { shown, line } = await fail(await open(), how);
  expect(line).toMatchObject(expected);
  expect(shown).toContain(`request ${String(line.id)}`);
});

it("a 404 that means no data is no failure", async () => {
  const { line, figures } = await fail(
    await answers(404, '{"title":"Not found","detail":"No data found"}')(),
  );
  expect(line).not.toHaveProperty("by");
  expect(figures).not.toContain("inv_page_call_failures_total{");
});
