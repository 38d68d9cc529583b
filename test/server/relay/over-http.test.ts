/** The relay between two processes, over real HTTP, also when the service goes and comes back. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../helpers/free-port";
import { type ServerProcess, startServer, trialEnvironment } from "../../helpers/server-process";
import { tokenFrom } from "../../helpers/token-from";

describe("the relay to a service of another process, over HTTP", () => {
  let folder: string;
  let service: ServerProcess;
  let server: ServerProcess;
  let at: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "inv-relay-"));
    // Known beforehand: it comes back there, and nobody takes it meanwhile.
    at = ["--port", String(await freePort())];
    service = await startServer("service", { arguments: at });
    const config = join(folder, "environments.json");
    writeFileSync(config, JSON.stringify({ environments: [trialEnvironment(service.origin)] }));
    server = await startServer("server", { variables: { INV_CONFIG: config } });
  });

  afterAll(async () => {
    await server.stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  async function signedIn(): Promise<Record<string, string>> {
    const data = (await (await fetch(`${service.origin}/demo-data`)).json()) as {
      accounts: { consumer_id: string; client_secret: string }[];
    };
    const account = data.accounts[0]!;
    const token = await tokenFrom(server.origin, "trial", account);
    return { authorization: `Bearer ${token}`, "wm_consumer.id": account.consumer_id };
  }

  it("carries token, search and events there and back", async () => {
    const headers = await signedIn();
    const search = await fetch(`${server.origin}/relay/trial/search-items`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: ["00012345678905"] }),
    });
    expect(await search.json()).toMatchObject({ store_nbr: 1234, items: [{ gtin: "00012345678905" }] });
    const events = await fetch(`${server.origin}/relay/trial/events?store_nbr=1234&gtin=00012345678905`, {
      headers,
    });
    expect(await events.json()).toMatchObject({
      gtin: "00012345678905",
      event_history_item_details: expect.any(Array) as unknown,
    });
  });

  it("hands over the service's refusals as they are", async () => {
    const headers = await signedIn();
    const response = await fetch(`${server.origin}/relay/trial/events?store_nbr=1234&gtin=1`, { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ property: "/gtin/1" }] });
  });

  it("answers 502 when the service is gone, and is well again when it is back", async () => {
    const headers = await signedIn();
    await service.stop();
    const address = `${server.origin}/relay/trial/events?store_nbr=1234&gtin=1`;
    const gone = await fetch(address, { headers });
    expect(gone.status).toBe(502);
    service = await startServer("service", { arguments: at });
    const back = await fetch(address, { headers: await signedIn() });
    expect(back.status).toBe(400);
  });
});
