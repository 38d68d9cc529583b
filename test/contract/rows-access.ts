/** What the token endpoint answers, how long a token is valid, and whose token it is. */
import { type Answer, type Caller, createCaller, fixedGtin } from "./caller";
import { type Row, rowsOf } from "./rows";
import { expectGateway, expectHistory, expectInventory, expectTokenError } from "./shapes";

const tokenPath = "/api-proxy/service/identity/oauth/v1/token";
const form = { "content-type": "application/x-www-form-urlencoded" };
/** Of the account that calls. */
const goodForm = () => {
  const { main } = createCaller();
  return `grant_type=client_credentials&client_id=${main}-consumer&client_secret=${main}-secret`;
};
const search = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
const query = `store_nbr=1234&gtin=${fixedGtin}`;

function askToken(body: string, headers: Record<string, string> = form): Promise<Answer> {
  return createCaller().send(tokenPath, { method: "POST", headers, body });
}

/** Both data operations with the same headers. */
async function both(
  caller: Caller,
  headers: Record<string, string>,
): Promise<{ searched: Answer; listed: Answer }> {
  return { searched: await caller.search(search, headers), listed: await caller.events(query, headers) };
}

export const accessRows: Row[] = [
  ...rowsOf("Access token response", [
    [
      "access_token: string, opaque bearer token",
      async () => {
        const answer = await askToken(goodForm());
        expect(answer.status).toBe(200);
        expect(answer.body.access_token).toMatch(/^[\w-]{20,}$/);
        expect(answer.text).not.toMatch(/-secret/);
      },
    ],
  ]),
  ...rowsOf("Access token lifecycle", [
    [
      "none -> valid: valid credentials give a token that data requests accept",
      async () => {
        const caller = createCaller();
        const { searched, listed } = await both(caller, await caller.headers());
        expectInventory(searched, [fixedGtin]);
        expectHistory(listed);
      },
    ],
    [
      "valid -> expired: 900 seconds after issue, and not a millisecond before",
      async () => {
        const caller = createCaller();
        const headers = await caller.headers();
        caller.time.nowMs += 899_999;
        expect((await caller.search(search, headers)).status).toBe(200);
        caller.time.nowMs += 1;
        const { searched, listed } = await both(caller, headers);
        expectGateway(searched, 401, "search");
        expectGateway(listed, 401, "events");
        expect(searched.body.details.Description).toMatch(/expired/i);
      },
    ],
    [
      "expired -> valid: a new token is another one, and works",
      async () => {
        const caller = createCaller();
        const old = await caller.headers();
        caller.time.nowMs += 900_000;
        const fresh = await caller.headers();
        expect(fresh.authorization).not.toBe(old.authorization);
        expect((await caller.search(search, fresh)).status).toBe(200);
        expect((await caller.search(search, old)).status).toBe(401);
      },
    ],
  ]),
  ...rowsOf("Generate token", [
    [
      "method: POST (others get 405)",
      async () => {
        for (const method of ["GET", "PUT", "DELETE"]) {
          const answer = await createCaller().send(tokenPath, { method });
          expectTokenError(answer, 405, "invalid_request");
          expect(answer.headers.get("allow")).toBe("POST");
        }
      },
    ],
    [
      "content type: application/x-www-form-urlencoded, with or without a charset",
      async () => {
        expectTokenError(
          await askToken(goodForm(), { "content-type": "application/json" }),
          400,
          "invalid_request",
        );
        const answer = await askToken(goodForm(), {
          "content-type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8",
        });
        expect(answer.status).toBe(200);
      },
    ],
    [
      "grant_type: constant client_credentials",
      async () => {
        expectTokenError(
          await askToken(goodForm().replace("client_credentials", "password")),
          400,
          "unsupported_grant_type",
        );
      },
    ],
    ...["grant_type", "client_id", "client_secret"].map((name): [string, () => Promise<void>] => [
      `${name}: required (missing, empty and repeated are refused)`,
      async () => {
        const fields = goodForm().split("&");
        const own = fields.find((field) => field.startsWith(`${name}=`))!;
        const others = fields.filter((field) => field !== own).join("&");
        for (const body of [others, `${others}&${name}=`, `${goodForm()}&${own}`]) {
          expectTokenError(await askToken(body), 400, "invalid_request");
        }
      },
    ]),
    [
      "client_id and client_secret: as issued to the supplier (others are refused)",
      async () => {
        for (const body of [
          goodForm().replace("-secret", "-secrets"),
          goodForm().replace("-consumer", "-nobody"),
        ]) {
          expectTokenError(await askToken(body), 401, "invalid_client");
        }
      },
    ],
  ]),
  ...rowsOf("Authentication: tokens that are not ours", [
    [
      "token malformed or invalid: another run's token and a page token are not ours",
      async () => {
        const caller = createCaller();
        const page = await caller.events(query);
        const strange = [await createCaller().token(), String(page.body.next_page_token)];
        for (const token of strange) {
          const headers = { authorization: `Bearer ${token}`, "wm_consumer.id": `${caller.main}-consumer` };
          expectGateway(await caller.search(search, headers), 401, "search");
        }
      },
    ],
  ]),
];
