/** The embedded service over HTTP: whole sessions, garbage, and the fault switches. */
import { type AddressInfo, connect } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { fetch } from "undici";
import { createServiceServer } from "../helpers/service/server";
import { serviceRoutes } from "../../src/server/embedded-service/routes";
import { embeddedAt } from "../helpers/embedded";

const tokenPath = "/api-proxy/service/identity/oauth/v1/token";
const gtin = "00012345678905";
const body = JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: [gtin] });

let server: FastifyInstance;
let embedded: ReturnType<typeof embeddedAt>;
let origin: string;
let announced: string[];

beforeEach(async () => {
  embedded = embeddedAt(() => Date.parse("2026-11-20T12:00:00Z"));
  announced = [];
  server = await createServiceServer({
    ...embedded,
    faultSwitches: true,
    announce: (line) => announced.push(line),
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await server.close();
});

async function headers(): Promise<Record<string, string>> {
  const response = await fetch(origin + tokenPath, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "demo-consumer",
      client_secret: "demo-secret",
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${token}`, "wm_consumer.id": "demo-consumer" };
}

/** Sends bytes as they are and gives all that comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

function setFaults(change: unknown, own: Record<string, string> = {}) {
  return server.inject({
    method: "PUT",
    url: "/service/faults",
    headers: { host: "localhost:3000", ...own },
    payload: typeof change === "string" ? change : JSON.stringify(change),
  });
}

describe("the service over HTTP", () => {
  it("passes every body to the service: without a type, with an odd one, broken, too large", async () => {
    const own = await headers();
    const send = async (type: string | undefined, text: string) => {
      const response = await fetch(`${origin}/search-items`, {
        method: "POST",
        headers: { ...own, ...(type === undefined ? {} : { "content-type": type }) },
        body: Buffer.from(text),
      });
      const { status, type: kind } = (await response.json()) as { status: number; type: string };
      expect(response.status).toBe(status);
      return `${status} ${kind.split("/").at(-1)!}`;
    };
    expect(await send(undefined, body)).toBe("415 invalid-request");
    expect(await send(";;;", body)).toBe("415 invalid-request");
    expect(await send("text/html", body)).toBe("415 invalid-request");
    expect(await send("application/json", "{")).toBe("400 invalid-request");
    expect(await send("application/json", "")).toBe("400 invalid-request");
    expect(await send("application/json", "x".repeat(5_000_000))).toBe("413 invalid-request");
  });

  it("answers unknown paths, odd addresses and wrong methods in the documented shape", async () => {
    for (const path of ["/nowhere", "//events", "/%E0%A4%A", "/events/", "/docs/nothing-here"]) {
      const response = await fetch(origin + path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const response = await fetch(`${origin}/events`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET");
    }
  });

  it("refuses a method that a web Request doesn't allow in the documented shape", async () => {
    const answer = await raw("TRACE /search-items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain("/invalid-request");
  });

  it("refuses garbage and huge headers without a stack, and continues", async () => {
    const garbage = await raw("NOT HTTP AT ALL\r\n\r\n");
    expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
    const huge = await raw(`GET /events HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(40_000)}\r\n\r\n`);
    expect(huge).toMatch(/^HTTP\/1\.1 431 /);
    for (const answer of [garbage, huge]) {
      expect(answer).not.toMatch(/ at |node:|\.ts/);
    }
    expect((await fetch(`${origin}/demo-data`)).status).toBe(200);
  });

  it("keeps a connection open without a response for a hang", async () => {
    embedded.faults.set({ fail: "hang=100%" });
    const abort = new AbortController();
    const answer = fetch(`${origin}/events`, { signal: abort.signal });
    // A later answer on another connection: by now the hanging one would have had its answer.
    expect((await fetch(`${origin}/demo-data`)).status).toBe(200);
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("the fault switches over HTTP", () => {
  it("can be read, set, and are announced", async () => {
    const answer = await setFaults({ fail: "429=5%", latency_ms: 20 });
    expect(answer.statusCode).toBe(200);
    const settings = { fail: "429=5%", latency_ms: 20, description: embedded.faults.describe() };
    expect(answer.json()).toEqual(settings);
    expect(await (await fetch(`${origin}/service/faults`)).json()).toEqual(settings);
    expect((await setFaults({ fail: "", latency_ms: 0 })).json()).toEqual({
      fail: "",
      latency_ms: 0,
      description: null,
    });
    expect(announced).toEqual([
      "Fault switches are on: 5% of the requests are refused (429), every response waits 20 ms.",
      "Fault switches are off.",
    ]);
  });

  it("can be set only from this machine: not under another name, by proxy, or from outside", async () => {
    for (const [name, value] of [
      ["host", "evil.example"],
      ["x-forwarded-for", "10.0.0.7"],
      ["forwarded", "for=10.0.0.7"],
    ] as const) {
      expect((await setFaults({ fail: "500=100%" }, { [name]: value })).statusCode).toBe(403);
    }
    const outside = await server.inject({
      method: "PUT",
      url: "/service/faults",
      headers: { host: "localhost" },
      remoteAddress: "10.0.0.7",
      payload: '{"fail":"500=100%"}',
    });
    expect(outside.statusCode).toBe(403);
    expect(embedded.faults.describe()).toBeNull();
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"fail":5}',
    '{"latency_ms":"5"}',
    '{"fial":"429=5%"}',
    '{"fail":"x=1"}',
  ])("refuse %s in words", async (change) => {
    const answer = await setFaults(change);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(/^The (body|faults) must be/);
    expect(embedded.faults.describe()).toBeNull();
  });
});

describe("the service's routes on another server", () => {
  it("don't change its other paths", async () => {
    const host = Fastify();
    host.get("/own", () => ({ own: true }));
    await host.register(serviceRoutes, { ...embedded, faultSwitches: false });
    expect((await host.inject("/own")).json()).toEqual({ own: true });
    expect((await host.inject("/demo-data")).statusCode).toBe(200);
    expect((await host.inject("/openapi.json")).statusCode).toBe(200);
    expect((await host.inject("/service/faults")).statusCode).toBe(200);
    expect((await host.inject("/nowhere")).json()).toMatchObject({ error: "Not Found" });
    await host.close();
  });
});
