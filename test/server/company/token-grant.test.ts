/** Whose token it is, is learnt only where the service cannot have understood anybody else. */
import { readTokenGrant, type TokenExchange } from "../../../src/server/company/token-grant";

const form = "grant_type=client_credentials&client_id=acme&client_secret=s3cret";
const headers = { "content-type": "application/x-www-form-urlencoded" };

function exchange(changes: Partial<TokenExchange> = {}): TokenExchange {
  return {
    requestHeaders: headers,
    requestBody: form,
    status: 200,
    answerBody: '{"access_token":"t0ken","expires_in":600}',
    ...changes,
  };
}

describe("a token exchange", () => {
  it("names the token's owner and its lifetime", () => {
    const grant = { token: "t0ken", consumerId: "acme", lifetimeMs: 600_000 };
    expect(readTokenGrant(exchange())).toEqual(grant);
    const other = exchange({
      requestHeaders: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    });
    expect(readTokenGrant(other)).toEqual(grant);
  });

  it.each([
    ["not told", "{}"],
    ["told as nonsense", '{"expires_in":"soon"}'],
    ["longer than documented", '{"expires_in":86400}'],
  ])("is believed for 15 minutes where the lifetime is %s", (_, answer) => {
    const answerBody = JSON.stringify({ ...(JSON.parse(answer) as object), access_token: "t" });
    expect(readTokenGrant(exchange({ answerBody }))?.lifetimeMs).toBe(900_000);
  });

  // Each of these may be read as "bolt" by a service, while we would read "acme".
  it.each<[string, Partial<TokenExchange>]>([
    ["two client IDs", { requestBody: `client_id=bolt&${form}` }],
    ["two client IDs, parted by a semicolon", { requestBody: `${form};client_id=bolt` }],
    ["credentials in a header", { requestHeaders: { ...headers, authorization: "Basic Ym9sdDpz" } }],
    ["a field more", { requestBody: `${form}&scope=bolt` }],
    ["a field with brackets", { requestBody: `${form}&client_id[]=bolt` }],
    ["another spelling of a name", { requestBody: form.replace("client_id", "client%5fid") }],
    ["a NUL", { requestBody: form.replace("acme", "acme\0bolt") }],
    ["another encoding", { requestHeaders: { "content-type": `${headers["content-type"]};charset=utf-16` } }],
    ["JSON", { requestHeaders: { "content-type": "application/json" } }],
    ["no type", { requestHeaders: {} }],
    ["another grant", { requestBody: form.replace("client_credentials", "password") }],
    ["no client ID", { requestBody: form.replace("acme", "") }],
    ["a refusal", { status: 401 }],
    ["an answer without a token", { answerBody: "{}" }],
    ["an answer that is no JSON", { answerBody: "<html>" }],
    ["a token no header can carry", { answerBody: '{"access_token":"a b"}' }],
  ])("teaches nothing with %s", (_, changes) => {
    expect(readTokenGrant(exchange(changes))).toBeNull();
  });
});
