/** What the token endpoint answers, and whose tokens are valid. */
import { type Answer, createCaller, fixedGtin } from "./caller";
import { expectGateway, expectTokenError } from "./shapes";

const tokenPath = "/api-proxy/service/identity/oauth/v1/token";
const form = { "content-type": "application/x-www-form-urlencoded" };
/** Of the account that calls. */
const goodForm = () => {
  const { main } = createCaller();
  return `grant_type=client_credentials&client_id=${main}-consumer&client_secret=${main}-secret`;
};

function askToken(body: string, headers: Record<string, string> = form): Promise<Answer> {
  return createCaller().send(tokenPath, { method: "POST", headers, body });
}

export function accessCases(): void {
  describe("Access token response", () => {
    it("access_token: string, opaque bearer token", async () => {
      const answer = await askToken(goodForm());
      expect(answer.status).toBe(200);
      expect(answer.body.access_token).toMatch(/^[\w-]{20,}$/);
      expect(answer.text).not.toMatch(/-secret/);
    });
  });

  describe("Generate token", () => {
    it("method: POST (others get 405)", async () => {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await createCaller().send(tokenPath, { method });
        expectTokenError(answer, 405, "invalid_request");
        expect(answer.headers.get("allow")).toBe("POST");
      }
    });

    it("content type: application/x-www-form-urlencoded, with or without a charset", async () => {
      expectTokenError(
        await askToken(goodForm(), { "content-type": "application/json" }),
        400,
        "invalid_request",
      );
      const answer = await askToken(goodForm(), {
        "content-type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8",
      });
      expect(answer.status).toBe(200);
    });

    it("grant_type: constant client_credentials", async () => {
      const body = goodForm().replace("client_credentials", "password");
      expectTokenError(await askToken(body), 400, "unsupported_grant_type");
    });

    it.each(["grant_type", "client_id", "client_secret"])(
      "%s: required (missing, empty and repeated are refused)",
      async (name) => {
        const fields = goodForm().split("&");
        const own = fields.find((field) => field.startsWith(`${name}=`))!;
        const others = fields.filter((field) => field !== own).join("&");
        for (const body of [others, `${others}&${name}=`, `${goodForm()}&${own}`]) {
          expectTokenError(await askToken(body), 400, "invalid_request");
        }
      },
    );

    it("client_id and client_secret: as issued to the supplier (others are refused)", async () => {
      for (const body of [
        goodForm().replace("-secret", "-secrets"),
        goodForm().replace("-consumer", "-nobody"),
      ]) {
        expectTokenError(await askToken(body), 401, "invalid_client");
      }
    });
  });

  it("Authentication: another run's token and a page token are invalid", async () => {
    const caller = createCaller();
    const page = await caller.events(`store_nbr=1234&gtin=${fixedGtin}`);
    const search = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
    for (const token of [await createCaller().token(), String(page.body.next_page_token)]) {
      const headers = { authorization: `Bearer ${token}`, "wm_consumer.id": `${caller.main}-consumer` };
      expectGateway(await caller.search(search, headers), 401, "search");
    }
  });
}
