/** The server ends in the middle of a refresh, by force; and what another consumer's token gets from a team's server. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../bench/system-clock";
import type { Environment } from "../../src/domain/environment";
import { createEngine } from "../../src/engine/engine";
import type { ItemQuery } from "../../src/domain/records";
import { freePort } from "../helpers/free-port";
import { type ServerProcess, startServer, trialEnvironment } from "../helpers/server-process";
import { tokenFrom } from "../helpers/token-from";

interface DemoData {
  readonly accounts: readonly { readonly consumer_id: string; readonly client_secret: string }[];
}

const knownItem = "00012345678905";

describe("a team's server between a page and a service of another process", () => {
  let folder: string;
  let service: ServerProcess;
  let server: ServerProcess;
  let config: string;
  let variables: Record<string, string>;
  let accounts: DemoData["accounts"];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "inv-kill-"));
    service = await startServer("service");
    ({ accounts } = (await (await fetch(`${service.origin}/demo-data`)).json()) as DemoData);
    config = join(folder, "inv.json");
    const environment = {
      ...trialEnvironment(service.origin),
      quota: { search: 100_000 },
    };
    writeFileSync(config, JSON.stringify({ environments: [environment] }));
    // Known beforehand: it comes back there, and nobody takes it meanwhile.
    variables = { PORT: String(await freePort()) };
    server = await startServer("server", { arguments: ["--config", config], variables });
  });
  afterAll(async () => {
    await server.stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it("is killed in mid-refresh: cells end with a reason, keep what was known, and the next refresh succeeds", async () => {
    const environment: Environment = {
      id: "trial",
      label: "Trial",
      kind: "sandbox",
      tokenUrl: `${server.origin}/relay/trial/token`,
      searchUrl: `${server.origin}/relay/trial/search-items`,
      eventsUrl: `${server.origin}/relay/trial/events`,
      quota: { search: 100_000, events: 600 },
      pacedBy: "server",
      credentials: "user",
    };
    const { consumer_id: consumerId, client_secret: clientSecret } = accounts[0]!;
    const engine = createEngine({ clock: systemClock, transport: (request) => fetch(request) });
    engine.connect({ environment, credentials: { consumerId, clientSecret } });
    const known: ItemQuery[] = [{ storeNumber: 1234, itemType: "gtin", value: knownItem }];
    const before = await engine.item(known[0]!);

    const others = Array.from({ length: 400 }, (_, store): ItemQuery => {
      return { storeNumber: 2_000 + store, itemType: "gtin", value: knownItem };
    });
    const items = [...known, ...others];
    await engine.refresh({ items, histories: [] });
    let answered = 0;
    let isDead = false;
    const ends = await Promise.allSettled(
      items.map(async (query) => {
        const answer = await engine.item(query);
        answered += 1;
        // By force, as soon as some have their values.
        if (answered === 20 && !isDead) {
          isDead = true;
          await server.kill();
        }
        return answer;
      }),
    );
    const refused = ends.filter((end) => end.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({
        code: "unreachable",
        message: expect.stringContaining("cannot be reached") as string,
      });
    }
    // What was known is still there.
    expect(engine.known(known[0]!)).toMatchObject({ found: before.found });

    server = await startServer("server", { arguments: ["--config", config], variables });
    engine.tryAgain();
    await engine.refresh({ items, histories: [] });
    const after = await Promise.all(items.map((query) => engine.item(query)));
    expect(after).toHaveLength(items.length);
    expect(after.every(({ staleBecause }) => staleBecause === undefined)).toBe(true);
    engine.connect(null);
  });

  it("gives a consumer's token nothing under another's ID, be it known or not", async () => {
    const [own, other] = accounts;
    const token = (account: DemoData["accounts"][number]) => tokenFrom(server.origin, "trial", account);
    const tokens = { own: await token(own!), other: await token(other!) };
    const search = (accessToken: string, consumerId: string) =>
      fetch(`${server.origin}/relay/trial/search-items`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${accessToken}`,
          "wm_consumer.id": consumerId,
          "content-type": "application/json",
          "inv-max-age": "3600",
        },
        body: JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: [knownItem] }),
      });
    const first = await search(tokens.own, own!.consumer_id);
    expect(first.status).toBe(200);
    const shared = await search(tokens.own, own!.consumer_id);
    // Known by now: the colleague's answer comes with its age.
    expect(shared.headers.get("inv-ages")).toMatch(/^\d+$/);
    const thefts = [
      await search(tokens.other, own!.consumer_id),
      await search("guessed", own!.consumer_id),
      await search("", own!.consumer_id),
    ];
    for (const theft of thefts) {
      expect([401, 403]).toContain(theft.status);
      expect(theft.headers.get("inv-ages")).toBeNull();
      expect(await theft.text()).not.toContain("inventory_locations");
    }
  });
});
