/** The server's own credentials: one token for all, its expiry, a service that refuses, a secret that changes. */
import { writeFileSync } from "node:fs";
import { type CompanyTokenOptions, createCompanyToken } from "../../../src/server/sign-in/company-token";
import type { ProviderProcess } from "../../helpers/provider";
import { until } from "../../helpers/until";
import { clockOf } from "../parts";
import { type Bed, createBed, type Service, setUpSignIn, tokenIn } from "./bed";

/** The token of the server's credentials, from a token endpoint that answers with `send`. */
const tokensOf = (send: CompanyTokenOptions["target"]["send"]) =>
  createCompanyToken({
    clock: clockOf(() => 0),
    target: { tokenUrl: new URL("https://service.example/token"), send, tokenAsked: () => undefined },
    clientId: "acme",
    readSecret: () => Promise.resolve("secret"),
    warn: () => undefined,
  });

let provider: ProviderProcess;
let service: Service;
let bed: Bed;
let token: string;
let session: string;

setUpSignIn((each) => ({ provider, service, bed } = each));
beforeEach(async () => {
  session = await bed.signIn("jane");
  token = tokenIn(await bed.token(session));
});

test("the token is renewed before it expires, while the old one is still used", async () => {
  expect((await bed.look(token)).statusCode).toBe(200);
  bed.later(850_000);
  expect((await bed.look(token)).statusCode).toBe(200);
  // The call did not wait for the new token.
  expect(service.calls).toEqual(["service-token-1", "service-token-1"]);
  for (let looks = 0; service.calls.at(-1) === "service-token-1" && looks < 1_000; looks += 1) {
    await bed.look(token);
  }
  expect(service.calls.at(-1)).toBe("service-token-2");
});

test("a refused token is renewed once; each call is sent again once, and counts twice", async () => {
  bed.later(5_000);
  service.refused.add("service-token-1");
  const answers = await Promise.all(Array.from({ length: 5 }, () => bed.look(token)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect(service.asked).toHaveLength(2);
  expect(service.calls.filter((used) => used === "service-token-2")).toHaveLength(5);
  const { headers } = await bed.look(token);
  expect(service.calls.length).toBeGreaterThan(6);
  expect(headers["inv-quota"]).toBe(`${service.calls.length}/600`);
});

test("a token that the data host learns of late is tried once more two seconds later, and isn't renewed", async () => {
  service.refused.add("service-token-1");
  const looks = [bed.look(token), bed.look(token)];
  await until(() => service.calls.length >= 2);
  service.refused.clear();
  for (const { statusCode } of await Promise.all(looks)) expect(statusCode).toBe(200);
  expect(service.calls).toEqual(Array(4).fill("service-token-1"));
  expect(service.asked).toHaveLength(1);
});

test("a late refusal of the previous token keeps the current one", async () => {
  let given = 0;
  const send = () => {
    const body = Buffer.from(JSON.stringify({ access_token: `token-${(given += 1)}`, expires_in: 900 }));
    return Promise.resolve({ status: 200, contentType: "application/json", retryAfter: null, body });
  };
  const tokens = tokensOf(send);
  expect(await tokens.current()).toMatchObject({ serviceToken: "token-1" });
  tokens.worked("token-1");
  tokens.refused("token-1");
  expect(await tokens.current()).toMatchObject({ serviceToken: "token-2" });
  tokens.worked("token-2");
  tokens.refused("token-1");
  expect(await tokens.current()).toMatchObject({ serviceToken: "token-2" });
});

test.each([
  ["7", "7"],
  ["Tue, 24 Nov 2026 03:00:00 GMT", "5"],
])(
  "a 429 of the token endpoint with the Retry-After %s passes on %s seconds",
  async (retryAfter, passedOn) => {
    const send = () =>
      Promise.resolve({ status: 429, contentType: "text/plain", retryAfter, body: Buffer.from("slow down") });
    const tokens = tokensOf(send);
    const token = await tokens.current();
    expect(token).toMatchObject({
      kind: "away",
      answer: { status: 429, headers: { "retry-after": passedOn } },
    });
  },
);

test("a repeated call waits for its turn: if the quota is used up, the page gets a retry time", async () => {
  const other = await createBed(provider.issuer, service, {}, { quota: { search: 1, events: 1 } });
  const own = tokenIn(await other.token(await other.signIn("jane")));
  service.refused.add(`service-token-${service.asked.length}`);
  other.later(5_000);
  const answer = await other.look(own);
  expect([answer.statusCode, answer.headers["inv-refusal"]]).toEqual([429, "quota"]);
  expect(service.calls).toHaveLength(1);
  // This uses the new token, which has arrived by then.
  other.later(61_000);
  expect((await other.look(own)).statusCode).toBe(200);
  expect(service.calls).toHaveLength(2);
  await other.close();
});

test("if the service refuses the next token too, the server answers calls itself", async () => {
  service.refused.add("all");
  bed.later(5_000);
  const answers = await Promise.all(Array.from({ length: 5 }, () => bed.look(token)));
  expect(answers.map(({ headers }) => headers["inv-refusal"])).toEqual(Array(5).fill("credentials"));
  expect(service.asked).toHaveLength(2);
  // A call whose first refusal arrives after the outcome is known is not retried.
  const sent = service.calls.length;
  // The first token once, and the next one, which is new, twice.
  expect(sent).toBeLessThanOrEqual(15);
  for (let calls = 0; calls < 20; calls += 1) await bed.look(token);
  expect((await bed.token(session)).headers["inv-refusal"]).toBe("credentials");
  expect(service.calls).toHaveLength(sent);
  expect(service.asked).toHaveLength(2);
  // A minute later the credentials may be right again.
  service.refused.clear();
  bed.later(61_000);
  expect((await bed.look(token)).statusCode).toBe(200);
});

test("a secret that is replaced while the server runs is used at the next exchange, and a refused one isn't", async () => {
  service.secret = "another-secret";
  service.refused.add("service-token-1");
  expect((await bed.look(token)).headers["inv-refusal"]).toBe("credentials");
  expect((await bed.look(token)).headers["inv-refusal"]).toBe("credentials");
  expect(service.asked).toHaveLength(2);
  writeFileSync(bed.files.service, "another-secret");
  expect((await bed.look(token)).statusCode).toBe(200);
  expect(service.asked.at(-1)).toBe("another-secret");
});

test("a secret that can't be read is an outage, not a fault of the pages", async () => {
  writeFileSync(bed.files.service, "");
  bed.later(901_000);
  const answer = await bed.token(session);
  expect(answer.statusCode).toBe(503);
  expect(bed.log.join("")).toContain("The secret cannot be read: it is empty or too long.");
});

test("a 401 about the consumer renews no token", async () => {
  const asked = service.asked.length;
  service.says = { status: 401, fields: { type: "about:blank", title: "Consumer", detail: "not mapped" } };
  const answer = await bed.look(token);
  expect([answer.statusCode, answer.headers["inv-refusal"]]).toEqual([401, undefined]);
  expect(service.asked).toHaveLength(asked);
});

test("no answer contains the secret or the service's token, even if the service repeats them", async () => {
  service.isLoud = true;
  const other = await createBed(provider.issuer, service);
  const own = await other.signIn("jane");
  const answers = [await other.token(own)];
  answers.push(await other.look(tokenIn(answers[0]!)));
  service.secret = "another-secret";
  other.later(901_000);
  answers.push(await other.token(own), await other.app.inject({ url: "/environments.json" }));
  const all = JSON.stringify([answers.map(({ body, headers }) => [body, headers]), other.log]);
  expect(all).not.toMatch(/the-secret-of|service-token-\d/);
  expect(all).toContain("[redacted]");
  await other.close();
});
