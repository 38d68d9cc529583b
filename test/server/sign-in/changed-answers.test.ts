/** A provider whose answers are changed on the way: each is refused with its reason and opens no session. */
import type { Lies, ProviderProcess, ProviderRefusal } from "../../helpers/provider";
import { atProvider, type Bed, setUpSignIn } from "./bed";

let provider: ProviderProcess;
let bed: Bed;
setUpSignIn((each) => ({ provider, bed } = each));

const past = Math.floor(Date.now() / 1_000) - 3_600;
const noGroups = { claims: { groups: null } };
const refusal = (status: number, error: string, at: ProviderRefusal["at"] = "/token") => ({
  at,
  status,
  error,
});

// The page's status (502 means that the provider has a problem), and the reason in the log.
test.each<[string, Lies, ProviderRefusal | null, number, string]>([
  [
    "an ID token that has expired",
    { claims: { iat: past, exp: past + 300 } },
    null,
    403,
    "OAUTH_JWT_TIMESTAMP_CHECK_FAILED, exp",
  ],
  [
    "an ID token that is not signed",
    { head: { alg: "none" }, signature: "none" },
    null,
    403,
    "OAUTH_INVALID_RESPONSE",
  ],
  ["an ID token that somebody else signed", { signature: "foreign" }, null, 403, "OAUTH_INVALID_RESPONSE"],
  [
    "an ID token for another audience",
    { claims: { aud: "another-client" } },
    null,
    403,
    "OAUTH_JWT_CLAIM_COMPARISON_FAILED, aud",
  ],
  [
    "an ID token of another issuer",
    { claims: { iss: "https://evil.example.com" } },
    null,
    403,
    "OAUTH_JWT_CLAIM_COMPARISON_FAILED, iss",
  ],
  [
    "an ID token with another nonce",
    { claims: { nonce: "another" } },
    null,
    403,
    "OAUTH_JWT_CLAIM_COMPARISON_FAILED, nonce",
  ],
  ["an ID token without a nonce", { claims: { nonce: null } }, null, 403, "OAUTH_INVALID_RESPONSE"],
  ["an ID token that names nobody", { claims: { sub: null } }, null, 403, "OAUTH_INVALID_RESPONSE"],
  [
    "an ID token from the future",
    { claims: { iat: past + 7_200, exp: past + 9_000 } },
    null,
    403,
    "issued in the future",
  ],
  ["no ID token", { tokens: { id_token: null } }, null, 403, "OAUTH_INVALID_RESPONSE"],
  ["no access token", { tokens: { access_token: null } }, null, 403, "OAUTH_INVALID_RESPONSE"],
  ["another token type", { tokens: { token_type: "mac" } }, null, 403, "OAUTH_UNSUPPORTED_OPERATION"],
  [
    "user-info about somebody else",
    { ...noGroups, userInfo: { sub: "john" } },
    null,
    403,
    "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  ],
  ["user-info about nobody", { ...noGroups, userInfo: { sub: null } }, null, 403, "OAUTH_INVALID_RESPONSE"],
  ["user-info without the claim", { ...noGroups, userInfo: { groups: null } }, null, 403, "kept out"],
  [
    "user-info that refuses the token",
    noGroups,
    refusal(401, "invalid_token", "/me"),
    403,
    "OAUTH_WWW_AUTHENTICATE_CHALLENGE",
  ],
  ["user-info that fails", noGroups, refusal(500, "", "/me"), 502, "OAUTH_RESPONSE_IS_NOT_CONFORM"],
  ["a refused code", {}, refusal(400, "invalid_grant"), 403, "invalid_grant"],
  ["a person who may not", {}, refusal(400, "access_denied"), 403, "access_denied"],
  ["a refused client", {}, refusal(401, "invalid_client"), 403, "invalid_client"],
  ["a client without rights", {}, refusal(400, "unauthorized_client"), 403, "unauthorized_client"],
  [
    "a gateway that refuses",
    {},
    { ...refusal(403, ""), body: "<html>" },
    403,
    "OAUTH_RESPONSE_IS_NOT_CONFORM",
  ],
  ["too many requests", {}, { ...refusal(429, ""), body: "" }, 403, "OAUTH_RESPONSE_IS_NOT_CONFORM"],
  [
    "a token endpoint that fails",
    {},
    { ...refusal(503, ""), body: "" },
    502,
    "OAUTH_RESPONSE_IS_NOT_CONFORM",
  ],
  ["a web page in place of tokens", {}, { ...refusal(200, ""), body: "<html>" }, 403, "OAUTH_PARSE_ERROR"],
])("%s of the provider lets nobody in", async (_what, lies, refused, status, reason) => {
  const { returned, cookie } = await atProvider(bed);
  await provider.lie(lies, refused);
  const page = await bed.back(returned, cookie);
  expect(page.statusCode).toBe(status);
  expect(page.body).not.toContain("data-code");
  expect(bed.log.at(-1)).toContain(reason);
});

test("a provider that names another issuer isn't used", async () => {
  await provider.lie({ configuration: { issuer: "https://evil.example.com" } });
  bed.later(3_700_000);
  const url = `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup`;
  const { statusCode, headers } = await bed.app.inject({ url, headers: { host: "inv.example.com" } });
  expect([statusCode, headers.location]).toEqual([502, undefined]);
});

test.each<["ends" | "keeps", string, Lies, ProviderRefusal | null]>([
  ["ends", "an ID token of somebody else", { claims: { sub: "john" } }, null],
  ["ends", "user-info without the claim", { ...noGroups, userInfo: { groups: null } }, null],
  ["ends", "invalid_grant", {}, refusal(400, "invalid_grant")],
  ["ends", "access_denied", {}, refusal(400, "access_denied")],
  ["ends", "login_required", {}, refusal(400, "login_required")],
  ["ends", "interaction_required", {}, refusal(400, "interaction_required")],
  ["ends", "consent_required", {}, refusal(400, "consent_required")],
  ["ends", "account_disabled", {}, refusal(400, "account_disabled")],
  ["ends", "invalid_token of user-info", noGroups, refusal(401, "invalid_token", "/me")],
  ["ends", "access_denied of user-info", noGroups, refusal(403, "access_denied", "/me")],
  ["keeps", "the right answer", {}, null],
  ["keeps", "unauthorized_client", {}, refusal(400, "unauthorized_client")],
  ["keeps", "invalid_client", {}, refusal(401, "invalid_client")],
  ["keeps", "an outage", {}, refusal(503, "")],
  ["keeps", "an ID token that somebody else signed", { signature: "foreign" }, null],
  ["keeps", "user-info about somebody else", { ...noGroups, userInfo: { sub: "john" } }, null],
  ["keeps", "insufficient_scope of user-info", noGroups, refusal(403, "insufficient_scope", "/me")],
])("a later look %s the session at %s", async (what, _answer, lies, refused) => {
  const session = await bed.signIn("jane");
  await provider.lie(lies, refused);
  bed.later(720_000);
  const answer = await bed.token(session);
  expect(answer.headers["inv-refusal"]).toBe(what === "ends" ? "session" : undefined);
});

test("three checks in a row with a 403 of user-info without a reason end the session", async () => {
  const session = await bed.signIn("jane");
  const look = async (status: number) => {
    const lies = status === 200 ? {} : noGroups;
    await provider.lie(lies, status === 200 ? null : refusal(status, "", "/me"));
    bed.later(720_000);
    return (await bed.token(session)).headers["inv-refusal"];
  };
  // The successful answer in the middle resets the count.
  for (const status of [403, 403, 200, 403, 403]) expect(await look(status)).toBeUndefined();
  expect(await look(403)).toBe("session");
});
