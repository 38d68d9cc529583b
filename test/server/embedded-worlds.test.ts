/** The embedded service's environments behind the server: which ones are offered, and that they share nothing. */
import type { FastifyInstance } from "fastify";
import { openApp } from "./beds";
import { settings } from "./parts";

const gtin = "00012345678905";
const real = {
  id: "sandbox",
  label: "Sandbox",
  kind: "sandbox" as const,
  tokenUrl: "https://auth.example.com/t",
  searchUrl: "https://api.example.com/s",
  eventsUrl: "https://api.example.com/e",
  credentials: "user" as const,
  authorization: "bearer" as const,
  quota: { search: 600, events: 60 },
};

let app: FastifyInstance;
afterEach(() => app.close());

interface Listed {
  readonly id: string;
  readonly label: string;
  readonly configured?: false;
}

async function listed(): Promise<readonly Listed[]> {
  return (await app.inject("/environments.json")).json<{ environments: Listed[] }>().environments;
}

async function statusOf(url: string): Promise<number> {
  return (await app.inject({ url, headers: { host: "localhost" } })).statusCode;
}

describe("the embedded environments of a server", () => {
  it("are the demo, a sandbox and production without configuration, labelled as sample data", async () => {
    app = await openApp();
    expect((await listed()).map(({ id, label, configured }) => [id, label, configured])).toEqual([
      ["demo", "Demo", undefined],
      ["embedded-sandbox", "Sandbox (sample data)", undefined],
      ["embedded-production", "Production (sample data)", undefined],
    ]);
  });

  it("are not served when an environment is configured, not even at their own addresses", async () => {
    app = await openApp({ config: settings({ environments: [real] }) });
    expect((await listed()).map(({ id }) => id)).toEqual(["sandbox", "production"]);
    for (const path of ["/demo-data", "/embedded-sandbox/demo-data", "/events", "/service/faults"]) {
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    }
    const relayed = await app.inject({ method: "POST", url: "/relay/embedded-sandbox/token" });
    expect(relayed.statusCode).toBe(404);
  });

  it("are only the demo, listed last, when it is configured beside others", async () => {
    app = await openApp({ config: settings({ environments: [real], demo: true }) });
    expect((await listed()).map(({ id }) => id)).toEqual(["sandbox", "production", "demo"]);
    expect(await statusOf("/demo-data")).toBe(200);
    expect(await statusOf("/embedded-production/demo-data")).toBe(404);
  });
});

describe("each embedded environment", () => {
  const worlds = [
    { name: "demo", prefix: "" },
    { name: "sandbox", prefix: "/embedded-sandbox" },
    { name: "production", prefix: "/embedded-production" },
  ];

  beforeEach(async () => {
    app = await openApp();
  });

  async function token(prefix: string, name: string) {
    return app.inject({
      method: "POST",
      url: `${prefix}/api-proxy/service/identity/oauth/v1/token`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `grant_type=client_credentials&client_id=${name}-consumer&client_secret=${name}-secret`,
    });
  }

  async function ask(prefix: string, name: string, accessToken: string) {
    const headers = { authorization: `Bearer ${accessToken}`, "wm_consumer.id": `${name}-consumer` };
    return {
      search: await app.inject({
        method: "POST",
        url: `${prefix}/search-items`,
        headers: { ...headers, "content-type": "application/json" },
        payload: JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: [gtin] }),
      }),
      events: await app.inject({ url: `${prefix}/events?store_nbr=1234&gtin=${gtin}`, headers }),
    };
  }

  it.each(worlds)("accepts only its own consumers' credentials ($name)", async ({ name, prefix }) => {
    for (const other of worlds) {
      const answer = await token(prefix, other.name);
      expect([other.name, answer.statusCode]).toEqual([other.name, other.name === name ? 200 : 401]);
    }
  });

  it.each(worlds)(
    "refuses the tokens of the others in the gateway shape ($name)",
    async ({ name, prefix }) => {
      for (const other of worlds.filter((world) => world.name !== name)) {
        const { access_token } = (await token(other.prefix, other.name)).json<{ access_token: string }>();
        const { search, events } = await ask(prefix, other.name, access_token);
        for (const [answer, service] of [
          [search, "inventory-status"],
          [events, "inventory-events"],
        ] as const) {
          expect(answer.statusCode).toBe(401);
          expect(answer.json()).toEqual({
            details: {
              Description: "Access token validation failed with status: Bad Request.",
              "wm_svc.version": "1.0.0",
              "wm_svc.name": service,
              "wm_svc.env": name,
            },
          });
        }
      }
    },
  );

  it("has its own quantities for the same store and item", async () => {
    const seen = new Set<string>();
    for (const { name, prefix } of worlds) {
      const { access_token } = (await token(prefix, name)).json<{ access_token: string }>();
      const { search, events } = await ask(prefix, name, access_token);
      expect([search.statusCode, events.statusCode]).toEqual([200, 200]);
      expect(events.json<{ gtin: string }>().gtin).toBe(gtin);
      seen.add(JSON.stringify(search.json<{ items: unknown[] }>().items));
    }
    expect(seen.size).toBe(worlds.length);
  });
});
