/** Tokens and accounts that open the embedded service: those of servers that act as one, and test accounts. */
import { createEmbedded } from "../../src/server/embedded";
import { tokenPath } from "../../src/embedded-service/service";
import { createImportBed } from "../helpers/imported";

const origin = "http://demo.invalid";
const open = (sharedBy: string | null) =>
  createEmbedded({
    data: null,
    clockMs: null,
    sharedBy,
    reportError: () => undefined,
    tell: () => undefined,
  });

test.each([
  ["inv:", "inv:", 200],
  ["inv:", "other:", 401],
  ["inv:", null, 401],
  [null, null, 401],
])("a token of %j's demo at %j's: %i", async (one, other, status) => {
  const [here, there] = [(await open(one)).worlds[0]!, (await open(other)).worlds[0]!];
  const { consumerId, clientSecret } = here.environment.accounts![0]!;
  const form = { grant_type: "client_credentials", client_id: consumerId, client_secret: clientSecret };
  const answer = await here.service(
    new Request(origin + tokenPath, { method: "POST", body: new URLSearchParams(form) }),
  );
  const { access_token } = (await answer.json()) as { access_token: string };
  const found = await there.service(
    new Request(`${origin}/search-items`, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        authorization: `Bearer ${access_token}`,
        "wm_consumer.id": consumerId,
      },
      body: JSON.stringify({ item_type: "gtin", store_nbr: 100, item_type_values: ["00012345678905"] }),
    }),
  );
  expect(found.status === 401).toBe(status === 401);
});

test.each([true, false])(
  "the demo's accounts open a stock file only as test accounts (%p)",
  async (testAccounts) => {
    const bed = createImportBed();
    const row = "1234,00012345678905,3,2026-11-20T05:00";
    bed.write("inventory.csv", `store,gtin,quantity,last_updated\n${row}\n`);
    await bed.run();
    const { worlds } = await createEmbedded({
      data: bed.path("stock.db"),
      clockMs: null,
      testAccounts,
      reportError: () => undefined,
      tell: () => undefined,
    });
    const form = {
      grant_type: "client_credentials",
      client_id: "demo-consumer",
      client_secret: "demo-secret",
    };
    const request = new Request(origin + tokenPath, { method: "POST", body: new URLSearchParams(form) });
    expect((await worlds[0]!.service(request)).status).toBe(testAccounts ? 200 : 401);
    bed.end();
  },
);
