/** The server is killed during a refresh. Also: what another consumer's token gets from a team's server. */
import { systemClock } from "../helpers/system-clock";
import type { Environment } from "../../src/domain/environment";
import { type InvError, isInvError } from "../../src/domain/errors";
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
  let service: ServerProcess;
  let server: ServerProcess;
  let settings: { readonly environments: readonly object[] };
  /** Fixed before the start: the service restarts on it, and nobody takes it meanwhile. So is the server's port. */
  let servicePort: string[];
  let variables: Record<string, string>;
  let accounts: DemoData["accounts"];

  beforeAll(async () => {
    servicePort = [String(await freePort())];
    service = await startServer("service", { arguments: servicePort });
    ({ accounts } = (await (await fetch(`${service.origin}/demo-data`)).json()) as DemoData);
    const environment = { ...trialEnvironment(service.origin), quota: { search: 100_000 } };
    settings = { environments: [environment] };
    variables = { PORT: String(await freePort()) };
    server = await startServer("server", { settings, variables });
  });
  afterAll(async () => {
    await server.stop();
    await service.stop();
  });

  it("is killed during a refresh: cells end with a reason, keep their values, and the next refresh succeeds", async () => {
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
    let settled = 0;
    const refused: InvError[] = [];
    await engine.refresh(
      { items, histories: [] },
      {
        settled(_query, outcome) {
          settled += 1;
          // Kill the server as soon as some queries have their answers.
          if (settled === 20) void server.kill();
          if (isInvError(outcome)) refused.push(outcome);
        },
      },
    );
    expect(settled).toBe(items.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) {
      expect(reason).toMatchObject({
        code: "unreachable",
        message: expect.stringContaining("can't reach the service") as string,
      });
    }
    // The cached values are still there.
    expect(engine.cachedItem(known[0]!)).toMatchObject({ found: before.found });

    // It is gone, but its port may not be free yet.
    await server.kill();
    server = await startServer("server", { settings, variables });
    engine.tryAgain();
    await engine.refresh({ items, histories: [] });
    const after = await Promise.all(items.map((query) => engine.item(query)));
    expect(after).toHaveLength(items.length);
    expect(after.every(({ staleBecause }) => staleBecause === undefined)).toBe(true);
    engine.connect(null);
  });

  it("forwards the service's refusals unchanged, answers 502 when it is gone, and works again when it is back", async () => {
    const address = `${server.origin}/relay/trial/events?store_nbr=1234&gtin=1`;
    const ask = async (token: string) => fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const token = await tokenFrom(server.origin, "trial", accounts[0]);
    const refused = await ask(token);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { errors: [{ property: "/gtin/1" }] },
    ]);
    await service.stop();
    expect((await ask(token)).status).toBe(502);
    service = await startServer("service", { arguments: servicePort });
    expect((await ask(await tokenFrom(server.origin, "trial", accounts[0]))).status).toBe(400);
  });
});
