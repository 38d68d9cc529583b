/** Who may read a supplier's own figures: anybody on this machine, and nobody else. */
import { createEmbedded } from "../../../src/server/embedded";
import { readCommandLine } from "../../../src/server/command-line";
import { chooseFigures } from "../../../src/server/figures/own-figures";
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

interface Listed {
  readonly id: string;
  readonly accounts?: readonly { readonly consumerId: string; readonly clientSecret: string }[];
}

async function serve() {
  const config = settings();
  const embedded = await createEmbedded({
    figures: chooseFigures(trial, config),
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
  const { app, environments, quantity, report } = await serve();
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
  expect(() => chooseFigures(trial, settings(change))).toThrow("--stock works only on this machine");
});

it("a file in another folder is another environment", () => {
  const other = folder.write("other/stock.csv", "");
  const ids = [stock, other].map((path) => chooseFigures({ stock: path, events: null }, settings())?.id);
  expect(new Set(ids).size).toBe(2);
});
