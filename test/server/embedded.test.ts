/** Tokens that open the embedded service: those of servers that act as one. */
import { createEmbedded } from "../../src/server/embedded";
import { tokenPath } from "../../src/embedded-service/service";

const origin = "http://demo.invalid";
const open = (sharedBy: string | null) => createEmbedded({ sharedBy, reportError: () => undefined });

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
