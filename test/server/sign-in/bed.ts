/**
 * A team's server, without a port, with a production environment that people sign in to. Tests act as a window and a pane.
 * Its service records what it receives.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { createLog } from "../../../src/server/monitoring/log";
import { readSettings } from "../../../src/server/settings/read";
import { openApp } from "../beds";
import { clientId, clientSecret, logIn, type ProviderProcess, startProvider } from "../../helpers/provider";

const serviceSecret = "the-secret-of-the-supplier";
const host = "inv.example.com";
export const address = `https://${host}`;
const ownPage = { host, "sec-fetch-site": "same-origin" };

export interface Service {
  readonly origin: string;
  /** Client secrets of token requests, in order. */
  readonly asked: string[];
  readonly calls: string[];
  secret: string;
  /** Tokens that the service no longer accepts. */
  readonly refused: Set<string>;
  /** The service's answer to data calls. */
  says: { readonly status: number; readonly fields: object };
  /** Whether the service repeats requests in its answers. */
  isLoud: boolean;
  close(): void;
}

/** The service issues tokens `service-token-1`, `-2`, … for the correct secret. */
export async function startService(): Promise<Service> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const answer = (status: number, fields: object): void => {
        const loud = service.isLoud ? { repeated: [request.headers.authorization, body] } : {};
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify({ ...fields, ...loud }));
      };
      if (request.url === "/token") {
        const secret = new URLSearchParams(body).get("client_secret") ?? "";
        service.asked.push(secret);
        if (secret === service.secret) {
          const access_token = `service-token-${service.asked.length}`;
          answer(200, { access_token, expires_in: 900 });
        } else answer(401, { error: "invalid_client" });
        return;
      }
      const token = (request.headers.authorization ?? "").replace("Bearer ", "");
      service.calls.push(token);
      if (service.refused.has(token) || service.refused.has("all")) {
        answer(401, { details: { Description: "refused" } });
      } else answer(service.says.status, service.says.fields);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: Service = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked: [],
    calls: [],
    secret: serviceSecret,
    refused: new Set(),
    says: { status: 200, fields: { items: [] } },
    isLoud: false,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

export interface Begun {
  readonly verifier: string;
  /** The address to which the window is redirected. */
  readonly location: string;
  readonly cookie: string;
}

export interface Bed {
  readonly app: FastifyInstance;
  readonly log: string[];
  readonly files: { readonly service: string; readonly provider: string };
  later(ms: number): void;
  /** `asksForAccount`: as a pane whose person has signed out. `jar`: the browser's cookies. */
  begin(environment?: string, asksForAccount?: boolean, jar?: string): Promise<Begun>;
  /** Brings the provider's answer back to the server, as the window does. */
  back(returned: URL, cookie: string): Promise<LightMyRequestResponse>;
  /** Signs in, from the button to the session. Throws if no session results. */
  signIn(account: string, environment?: string): Promise<string>;
  exchange(code: string, verifier: string, environment?: string): Promise<LightMyRequestResponse>;
  token(session: string, environment?: string): Promise<LightMyRequestResponse>;
  look(token: string, environment?: string): Promise<LightMyRequestResponse>;
  signOut(session: string, environment?: string): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

export async function createBed(
  issuer: string,
  service: Service,
  changes: object = {},
  ofEnvironments: object = {},
  others: object = {},
): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), "inv-sign-in-"));
  const files = { service: join(folder, "service"), provider: join(folder, "provider") };
  writeFileSync(files.service, `${serviceSecret}\n`);
  writeFileSync(files.provider, `${clientSecret}\n`);
  const environment = (id: string, kind: string): object => ({
    id,
    label: id,
    kind,
    tokenUrl: `${service.origin}/token`,
    searchUrl: `${service.origin}/search-items`,
    eventsUrl: `${service.origin}/events`,
    credentials: "server",
    clientId: `acme-${id}`,
    secret: `file:${files.service}`,
    ...ofEnvironments,
  });
  const content = {
    hosts: [host],
    environments: [environment("production", "production"), environment("sandbox", "sandbox")],
    signIn: {
      label: "ACME",
      address,
      issuer,
      clientId,
      secret: `file:${files.provider}`,
      scopes: ["openid", "profile", "groups"],
      allow: { claim: "groups", values: ["inv-users"] },
      audit: true,
      ...changes,
    },
    ...others,
  };
  writeFileSync(join(folder, "inv.json"), JSON.stringify(content));
  const log: string[] = [];
  let movedMs = 0;
  const app = await openApp({
    config: readSettings({ path: join(folder, "inv.json"), variables: {} }),
    now: () => performance.now() + movedMs,
    log: createLog("info", (line) => void log.push(line)),
  });

  const post = (url: string, payload: object): Promise<LightMyRequestResponse> =>
    app.inject({ method: "POST", url, headers: ownPage, payload });

  const bed: Bed = {
    app,
    log,
    files,
    later: (ms) => void (movedMs += ms),
    async begin(id = "production", asksForAccount = false, jar = "") {
      const verifier = randomBytes(32).toString("base64url");
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const account = asksForAccount ? "&account=choose" : "";
      const url = `/sign-in/begin/${id}?challenge=${challenge}&via=popup${account}`;
      const answer = await app.inject({ url, headers: { host, cookie: jar, "sec-fetch-dest": "document" } });
      const cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
      return { verifier, location: String(answer.headers.location), cookie };
    },
    back: (returned, cookie) =>
      app.inject({
        url: returned.pathname + returned.search,
        headers: { host, cookie, "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" },
      }),
    async signIn(account, id) {
      const { verifier, location, cookie } = await bed.begin(id);
      const page = await bed.back(await logIn(location, account), cookie);
      const answer = await bed.exchange(codeIn(page.body), verifier, id);
      return answer.json<{ session: string }>().session;
    },
    exchange: (code, verifier, id = "production") => post(`/sign-in/session/${id}`, { code, verifier }),
    token: (session, id = "production") =>
      app.inject({
        method: "POST",
        url: `/relay/${id}/token`,
        headers: { ...ownPage, "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams({ grant_type: "session", session }).toString(),
      }),
    look: (token, id = "production") =>
      app.inject({
        method: "POST",
        url: `/relay/${id}/search-items`,
        headers: { ...ownPage, authorization: `Bearer ${token}`, "content-type": "application/json" },
        // Another store each time, so that no answer comes from a colleague's call.
        payload: JSON.stringify({
          item_type: "gtin",
          item_type_values: ["00012345678905"],
          store_nbr: 100 + (stores += 1),
        }),
      }),
    signOut: (session, id = "production") => post(`/sign-in/end/${id}`, { session }),
    async close() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
  return bed;
}

let stores = 0;

/** A provider for the whole file, and a service and a server for each test. */
export function setUpSignIn(
  each: (parts: { readonly provider: ProviderProcess; readonly service: Service; readonly bed: Bed }) => void,
): void {
  let provider: ProviderProcess;
  let service: Service;
  let bed: Bed;
  beforeAll(async () => {
    provider = await startProvider([`${address}/sign-in/back`]);
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    await provider.change({ jane: ["inv-users"] });
    service = await startService();
    bed = await createBed(provider.issuer, service);
    each({ provider, service, bed });
  });
  afterEach(async () => {
    await bed.close();
    service.close();
  });
}

/** Begins a sign-in and logs in at the provider. Also returns the provider's redirect. */
export async function atProvider(bed: Bed): Promise<Begun & { readonly returned: URL }> {
  const begun = await bed.begin();
  return { ...begun, returned: await logIn(begun.location, "jane") };
}

/** The code in the window's page. Throws if the page has none. */
export function codeIn(page: string): string {
  const code = /data-code="(\w{8})"/.exec(page)?.[1];
  if (code === undefined) throw new Error(`No code in the page: ${page}`);
  return code;
}

/** The access token in an answer of the token operation. */
export function tokenIn(answer: LightMyRequestResponse): string {
  return answer.json<{ access_token: string }>().access_token;
}
