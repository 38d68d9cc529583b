/** Who may read a supplier's own figures: on this machine anybody, in a team whoever has the secret. */
import { createEmbedded } from "../../../src/server/embedded";
import { readCommandLine } from "../../../src/server/command-line";
import { chooseFigures } from "../../../src/server/figures/own-figures";
import { readSettings } from "../../../src/server/settings/read";
import { openApp } from "../beds";
import { settings } from "../parts";
import { ownFolder } from "../../helpers/own-folder";

const folder = ownFolder();
const stock = folder.write(
  "stock.csv",
  "store_nbr,gtin,wm_item_number,location_area,state,quantity,last_updated_time\n" +
    "1234,00012345678905,123456789,STORE,AVAILABLE,17,2026-11-20T05:58:00\n",
);
const trial = readCommandLine(["--stock", stock]);
const none = { stock: null, events: null };

function teamSettings() {
  const secret = folder.write("secret", "what only the team knows\n");
  const figures = { id: "acme", label: "ACME", stock, clientId: "acme-us", secret: `file:${secret}` };
  return readSettings({ path: folder.write("inv.json", { figures }), variables: {} });
}

interface Listed {
  readonly id: string;
  readonly accounts?: readonly { readonly consumerId: string; readonly clientSecret: string }[];
}

async function serve(config = settings(), files: { stock: string | null; events: string | null } = none) {
  const embedded = await createEmbedded({
    figures: chooseFigures(files, config),
    reportError: () => undefined,
  });
  const app = await openApp({ config, embedded: { ...embedded, faultSwitches: false } });
  const headers = { host: "localhost" };
  const { environments } = (await app.inject({ url: "/environments.json", headers })).json<{
    environments: Listed[];
  }>();
  const quantity = async (id: string, clientId: string, secret: string) => {
    const token = await app.inject({
      method: "POST",
      url: `/relay/${id}/token`,
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: secret,
      }).toString(),
    });
    if (token.statusCode !== 200) return token.statusCode;
    const found = await app.inject({
      method: "POST",
      url: `/relay/${id}/search-items`,
      headers: {
        ...headers,
        "content-type": "application/json",
        authorization: `Bearer ${token.json<{ access_token: string }>().access_token}`,
        "wm_consumer.id": clientId,
      },
      payload: JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: ["00012345678905"] }),
    });
    return found.json<{ items: { inventory_locations: { quantity: string }[] }[] }>().items[0]
      ?.inventory_locations[0]?.quantity;
  };
  return { app, environments, quantity, report: embedded.report };
}

it("a trial is open on this machine, without typed credentials", async () => {
  const { app, environments, quantity, report } = await serve(settings(), trial);
  const [own] = environments;
  expect(own?.id).toMatch(/^file-[a-z0-9]{8}$/);
  const [account] = own?.accounts ?? [];
  expect(await quantity(own?.id ?? "", account?.consumerId ?? "", account?.clientSecret ?? "")).toBe("17");
  expect(environments.map(({ id }) => id)).not.toContain("demo");
  expect(report?.contents).toBe("stock.csv: 1 items, 1 stores, the latest figure of 2026-11-20 05:58 UTC.");
  await app.close();
});

it.each([
  ["host", { host: "0.0.0.0" }],
  ["hosts", { hosts: ["inv.example.com"] }],
  ["trustProxy", { trustProxy: ["10.0.0.5"] }],
])("a trial is refused where others reach the server (%s)", (_name, change) => {
  expect(() => chooseFigures(trial, settings(change))).toThrow('under "figures"');
});

it("a file in another folder is another environment", () => {
  const other = folder.write("other/stock.csv", "");
  const ids = [stock, other].map((path) => chooseFigures({ stock: path, events: null }, settings())?.id);
  expect(new Set(ids).size).toBe(2);
});

it("a team's figures need the secret of the settings, which no page gets", async () => {
  const { app, environments, quantity } = await serve(teamSettings());
  expect(environments.find(({ id }) => id === "acme")).toEqual(
    expect.not.objectContaining({ accounts: expect.anything() as unknown }),
  );
  expect(JSON.stringify(environments)).not.toContain("what only");
  expect(await quantity("acme", "acme-us", "acme-secret")).toBe(401);
  expect(await quantity("acme", "demo-consumer", "demo-secret")).toBe(401);
  expect(await quantity("acme", "acme-us", "what only the team knows")).toBe("17");
  folder.write("secret", "a newer secret");
  expect(await quantity("acme", "acme-us", "what only the team knows")).toBe(401);
  expect(await quantity("acme", "acme-us", "a newer secret")).toBe("17");
  const listed = await app.inject({ url: "/demo-data", headers: { host: "localhost" } });
  expect(listed.json()).toMatchObject({ stores: [1234], items: [{ gtin: "00012345678905" }] });
  expect(listed.body).not.toMatch(/17|quantity/);
  await app.close();
});

it("servers with one secret accept each other's tokens", async () => {
  const figures = chooseFigures(none, teamSettings());
  const [one, two] = await Promise.all(
    [0, 1].map(async () => (await createEmbedded({ figures, reportError: () => undefined })).worlds[0]),
  );
  const form = {
    grant_type: "client_credentials",
    client_id: "acme-us",
    client_secret: "what only the team knows",
  };
  const token = await one!.service(
    new Request("http://one.invalid/api-proxy/service/identity/oauth/v1/token", {
      method: "POST",
      body: new URLSearchParams(form),
    }),
  );
  const { access_token } = (await token.json()) as { access_token: string };
  const found = await two!.service(
    new Request("http://two.invalid/events?store_nbr=1234&gtin=00012345678905", {
      headers: { authorization: `Bearer ${access_token}`, "wm_consumer.id": "acme-us" },
    }),
  );
  expect(found.status).toBe(200);
});

it("settings refuse an id that is taken, and the demo beside own figures", () => {
  const figures = {
    id: "demo",
    label: "ACME",
    stock,
    clientId: "us",
    secret: `file:${folder.write("secret", "x")}`,
  };
  const path = folder.write("inv.json", { demo: true, figures });
  const read = () => readSettings({ path, variables: {} });
  expect(read).toThrow('figures.id "demo" is reserved.');
  expect(read).toThrow("demo can't be offered beside figures.");
});

it("--events needs --stock", () => {
  expect(() => readCommandLine(["--events", "events.csv"])).toThrow("--events: needs --stock");
});
