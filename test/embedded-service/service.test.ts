/** The contract over another backend, also if that backend fails. */
import { createFaults } from "../../src/embedded-service/fault-switches";
import { createService } from "../../src/embedded-service/service";
import type { Backend } from "../../src/embedded-service/backend";
import { createSampleBackend } from "../../src/embedded-service/sample-stock/sample-backend";
import { demoWorld } from "../../src/embedded-service/sample-stock/worlds";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const failure = new Error("password=hunter2 at db.js:1");
const demo = createSampleBackend(demoWorld, { seed: 1, now: () => nowMs });

function serviceOver(backend: Partial<Backend>, reported: unknown[] = []) {
  const service = createService({
    backend: { ...demo, ...backend },
    list: () => Promise.reject(failure),
    now: () => nowMs,
    random: () => 0.25,
    sleep: () => Promise.resolve(),
    faults: createFaults(),
    environment: "trial",
    reportError: (error) => reported.push(error),
  });
  return async (path: string, init?: RequestInit) => {
    const response = await service(new Request(`http://service.test${path}`, init));
    return { status: response.status, text: await response.text() };
  };
}

const searchBody = '{"item_type":"gtin","store_nbr":42,"item_type_values":["00000000000017"]}';
const historyPath = "/events?store_nbr=42&gtin=00000000000017";

async function headersOf(send: ReturnType<typeof serviceOver>): Promise<Record<string, string>> {
  const { text } = await send("/api-proxy/service/identity/oauth/v1/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "demo-consumer",
      client_secret: "demo-secret",
    }),
  });
  const { access_token: token } = JSON.parse(text) as { access_token: string };
  return { authorization: `Bearer ${token}`, "wm_consumer.id": "demo-consumer" };
}

describe("the service over another backend", () => {
  it("answers with that backend's stock, decimals included", async () => {
    const send = serviceOver({
      stock: {
        read: ({ values }) =>
          Promise.resolve(
            values.map(() => ({
              kind: "stock",
              itemNumber: "987654321",
              locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: 12.5 }],
              consumerItems: [],
              lastUpdatedMs: nowMs,
            })),
          ),
      },
    });
    const answer = await send("/search-items", {
      method: "POST",
      headers: { ...(await headersOf(send)), "content-type": "application/json" },
      body: searchBody,
    });
    expect(JSON.parse(answer.text)).toEqual({
      supplier_name: "Demo Foods Inc.",
      store_nbr: 42,
      items: [
        {
          gtin: "00000000000017",
          wm_item_number: "987654321",
          data_retrieval_status: "SUCCESS",
          inventory_locations: [{ location_area: "STORE", state: "AVAILABLE", quantity: "12.5" }],
          cid_level_inventories: [],
          last_updated_time: "2026-11-20T12:00:00",
        },
      ],
    });
  });

  it("answers 500 without details if the backend fails, and reports the error to its host", async () => {
    const reported: unknown[] = [];
    const send = serviceOver(
      {
        stock: { read: () => Promise.reject(failure) },
        history: {
          read: () => {
            throw failure;
          },
        },
      },
      reported,
    );
    const headers = await headersOf(send);
    const answers = [
      await send("/search-items", {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: searchBody,
      }),
      await send(historyPath, { headers }),
      await send("/demo-data"),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(500);
      expect(text).toContain("/internal-server-error");
      expect(text).not.toMatch(/hunter2|db\.js| at /);
    }
    expect(reported).toEqual([failure, failure, failure]);
  });

  it("answers 500 in OAuth's shape if the accounts fail", async () => {
    const accounts = {
      find: () => Promise.resolve(null),
      checkSecret: () => Promise.reject(new Error("down")),
    };
    const send = serviceOver({ accounts });
    const { status, text } = await send("/api-proxy/service/identity/oauth/v1/token", {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", client_id: "a", client_secret: "b" }),
    });
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: "temporarily_unavailable" });
  });

  it("names its environment in errors of the gateway", async () => {
    const { text } = await serviceOver({})("/events");
    expect(text).toContain('"wm_svc.env":"trial"');
  });

  it("seals the backend's cursor in the page token", async () => {
    const cursors: (string | null)[] = [];
    const send = serviceOver({
      history: {
        read: ({ cursor }) => {
          cursors.push(cursor);
          return Promise.resolve({
            kind: "events",
            events: [],
            nextCursor: cursor === null ? "place 7" : null,
          });
        },
      },
    });
    const headers = await headersOf(send);
    const first = await send(historyPath, { headers });
    const token = (JSON.parse(first.text) as { next_page_token: string }).next_page_token;
    expect(atob(token.replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("place 7");
    await send(`${historyPath}&page_token=${token}`, { headers });
    expect(cursors).toEqual([null, "place 7"]);
  });
});
