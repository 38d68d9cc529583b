/** From the button to a number, with a real provider: who may sign in, for how long, and who may not. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "../../helpers/free-port";
import { logIn, type ProviderProcess, startProvider } from "../../helpers/provider";
import { until } from "../../helpers/until";
import { address, type Bed, codeIn, createBed, type Service, setUpSignIn, tokenIn } from "./bed";

const hourMs = 3_600_000;

let provider: ProviderProcess;
let service: Service;
let bed: Bed;

setUpSignIn((each) => ({ provider, service, bed } = each));

test("a person signs in, gets a token for the session, and a number with it", async () => {
  const { verifier, location, cookie } = await bed.begin();
  expect(location).toMatch(/[?&]code_challenge_method=S256(&|$)/);
  expect(cookie).toMatch(/^__Host-inv-sign-in-[\w-]{8}=[\w-]{43}$/);
  const page = await bed.back(await logIn(location, "jane"), cookie);
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  // With this header, a browser separates the window from the pane that opened it.
  expect(page.headers["cross-origin-opener-policy"]).toBeUndefined();

  const answer = await bed.exchange(codeIn(page.body), verifier);
  expect(answer.json()).toEqual({
    session: expect.stringMatching(/^[\w-]{43}$/) as string,
    name: "Jane Doe",
    expires_in: 12 * 3600,
  });
  const token = await bed.token(answer.json<{ session: string }>().session);
  expect(token.json()).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
    token_type: "Bearer",
    expires_in: 900,
  });
  const look = await bed.look(tokenIn(token));
  expect(look.statusCode).toBe(200);
  expect(service.calls).toEqual(["service-token-1"]);

  // Other windows of the browser may still need the cookie, and nothing else sets one.
  expect(page.headers["set-cookie"]).toBeUndefined();
  const out = await bed.signOut(answer.json<{ session: string }>().session);
  for (const { headers } of [answer, token, look, out]) expect(headers["set-cookie"]).toBeUndefined();
});

test.each(["begins before the first has a cookie", "uses the first one's cookie"])(
  "two windows of one browser sign in at the same time: the second %s",
  async (how) => {
    const first = await bed.begin();
    const second = await bed.begin("production", false, how.startsWith("uses") ? first.cookie : "");
    // As a browser does: the later cookie of a name replaces the earlier one.
    const jar = new Map([first, second].map(({ cookie }) => [cookie.split("=")[0], cookie]));
    expect(jar.size).toBe(how.startsWith("uses") ? 1 : 2);
    for (const { location, verifier } of [second, first]) {
      const page = await bed.back(await logIn(location, "jane"), [...jar.values()].join("; "));
      expect((await bed.exchange(codeIn(page.body), verifier)).statusCode).toBe(200);
    }
  },
);

test("the list of environments contains where to sign in, and no credentials", async () => {
  const text = (await bed.app.inject({ url: "/environments.json" })).body;
  const listed = JSON.parse(text) as { environments: { id: string }[] };
  expect(listed.environments.find(({ id }) => id === "production")).toMatchObject({
    credentials: "server",
    signIn: { at: "ACME", url: "/sign-in/begin/production" },
  });
  expect(text).not.toMatch(/acme-|secret-of/);
});

test("forty people at once each get a session, a token and a turn; the service issues one token", async () => {
  const people = Array.from({ length: 40 }, (_, index) => `person${index}`);
  await provider.change(Object.fromEntries(people.map((person) => [person, ["inv-users"]])));
  const sessions = await Promise.all(people.map((person) => bed.signIn(person)));
  const tokens = (await Promise.all(sessions.map((session) => bed.token(session)))).map(tokenIn);
  const looks = await Promise.all(tokens.map((token) => bed.look(token)));
  expect(new Set(sessions).size).toBe(40);
  expect(new Set(tokens).size).toBe(40);
  expect(looks.filter(({ statusCode }) => statusCode === 200)).toHaveLength(40);
  expect(service.asked).toHaveLength(1);
});

test.each([
  ["somebody whom the settings don't allow", "joe", false, "You don't have access to INV"],
  ["somebody who cancels at the provider", "jane", true, ""],
])("%s gets no code", async (_who, account, turnsBack, said) => {
  const { location, cookie } = await bed.begin();
  const page = await bed.back(await logIn(location, account, turnsBack), cookie);
  expect([page.statusCode, page.body]).toEqual([403, expect.stringContaining(said)]);
  expect(page.body).not.toContain("data-code");
});

test("an unused session ends after eight hours, a used one after twelve", async () => {
  const [idle, used] = [await bed.signIn("jane"), await bed.signIn("jane")];
  bed.later(7 * hourMs);
  expect((await bed.token(used)).statusCode).toBe(200);
  bed.later(2 * hourMs);
  const ended = await bed.token(idle);
  expect([ended.statusCode, ended.headers["inv-refusal"]]).toEqual([401, "session"]);
  expect((await bed.token(used)).statusCode).toBe(200);
  bed.later(3 * hourMs - 300_000);
  // A page's token expires no later than the session.
  expect((await bed.token(used)).json<{ expires_in: number }>().expires_in).toBeLessThanOrEqual(300);
  bed.later(300_000);
  expect((await bed.token(used)).headers["inv-refusal"]).toBe("session");
});

test("settings change how long a session lasts", async () => {
  const other = await createBed(provider.issuer, service, { idleHours: 2, totalHours: 5 });
  const [used, idle] = [await other.signIn("jane"), await other.signIn("jane")];
  const refusals = async () =>
    (await Promise.all([other.token(used), other.token(idle)])).map(({ headers }) => headers["inv-refusal"]);
  other.later(hourMs);
  expect((await other.token(used)).statusCode).toBe(200);
  other.later(1.5 * hourMs);
  expect(await refusals()).toEqual([undefined, "session"]);
  other.later(1.5 * hourMs);
  expect((await other.token(used)).statusCode).toBe(200);
  other.later(hourMs);
  expect(await refusals()).toEqual(["session", "session"]);
  await other.close();
});

test("signing out ends the session and all its tokens at once", async () => {
  const session = await bed.signIn("jane");
  const token = tokenIn(await bed.token(session));
  expect((await bed.look(token)).statusCode).toBe(200);
  await bed.signOut(session);
  const look = await bed.look(token);
  expect([look.statusCode, look.headers["inv-refusal"]]).toEqual([401, "token"]);
  expect((await bed.token(session)).headers["inv-refusal"]).toBe("session");
  expect(service.calls).toHaveLength(1);
});

test("a person who is no longer allowed is signed out at the next renewal", async () => {
  const session = await bed.signIn("jane");
  await provider.change({ jane: ["others"] });
  // The provider was asked a moment ago.
  expect((await bed.token(session)).statusCode).toBe(200);
  bed.later(720_000);
  const answers = await Promise.all([bed.token(session), bed.token(session)]);
  expect(answers.map(({ headers }) => headers["inv-refusal"])).toEqual(["session", "session"]);
  expect(bed.log.join("")).toContain("put out");
});

test("while the provider is away, signed-in people stay signed in and others get the reason", async () => {
  const own = await startProvider([`${address}/sign-in/back`]);
  const other = await createBed(own.issuer, service);
  const session = await other.signIn("jane");
  own.stop();
  other.later(1_200_000);
  expect((await other.token(session)).statusCode).toBe(200);
  other.later(hourMs);
  const answer = await other.app.inject({
    url: `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup`,
    headers: { host: "inv.example.com" },
  });
  expect(answer.statusCode).toBe(502);
  expect(answer.body).toContain("confirm who you are");
  await other.close();
});

test("a server whose provider is away starts, and warns", async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const other = await createBed(issuer, service);
  expect((await other.app.inject({ url: "/environments.json" })).statusCode).toBe(200);
  await other.app.inject({
    url: `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup`,
    headers: { host: "inv.example.com" },
  });
  expect(other.log.join("")).toContain(
    `The sign-in provider can't be used at ${issuer}: fetch failed (ECONNREFUSED).`,
  );
  await other.close();
});

test("health says that the provider is away until it answers again", async () => {
  await bed.begin();
  const because = async () =>
    (await bed.app.inject({ url: "/readyz" })).json<{ because?: string[] }>().because;
  const look = () => bed.app.core.rounds.now();
  const { port } = new URL(provider.issuer);
  await provider.lie({ configuration: { issuer: "https://elsewhere.example.com" } });
  for (let round = 0; round < 5; round += 1) look();
  await until(async () => (await because())?.includes("sign-in") === true);
  expect(bed.log.join("")).toContain(`The sign-in provider can't be used at http://localhost:${port}`);
  await provider.lie({});
  look();
  await until(async () => (await because())?.includes("sign-in") !== true);
  expect(bed.log.join("")).toContain("The sign-in provider can be used again.");
});

test("a server that closes while it asks the provider ends the question, and doesn't warn", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const asked = new Promise((resolve) => silent.once("connection", resolve));
  const { port } = silent.address() as AddressInfo;
  const other = await createBed(`http://127.0.0.1:${port}`, service);
  await asked;
  await other.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  silent.close();
  expect(other.log.join("")).not.toContain("can't be used");
});

test("the log names who signed in and out, and contains no secrets, sessions or tokens", async () => {
  const session = await bed.signIn("jane");
  const token = tokenIn(await bed.token(session));
  await bed.look(token);
  await bed.signOut(session);
  const lines = bed.log.join("");
  expect(lines).toContain('"name":"Jane Doe","subject":"jane","msg":"signed in"');
  expect(lines).toContain('"name":"Jane Doe","subject":"jane","msg":"signed out"');
  for (const hidden of [session, token, "the-secret", "service-token"]) expect(lines).not.toContain(hidden);
});

test("the log names people whom the settings don't allow", async () => {
  await bed.signIn("joe").catch(() => null);
  expect(bed.log.join("")).toContain('"name":"Joe Bloggs","subject":"joe","msg":"kept out"');
});

test.each([{ audit: false }, { audit: undefined }])("with %j the log names nobody", async (changes) => {
  const other = await createBed(provider.issuer, service, changes);
  const session = await other.signIn("jane");
  await other.signOut(session);
  const next = await other.signIn("jane");
  await provider.change({ jane: ["others"] });
  other.later(720_000);
  expect((await other.token(next)).headers["inv-refusal"]).toBe("session");
  expect(other.log.join("")).not.toMatch(/jane|signed (in|out)|put out/i);
  await other.close();
});

test("signing out revokes the refresh token at the provider; only then the next sign-in asks which account", async () => {
  const revoked: string[] = [];
  const endpoint = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      revoked.push(Buffer.concat(chunks).toString());
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const { port } = endpoint.address() as AddressInfo;
  await provider.lie({ configuration: { revocation_endpoint: `http://localhost:${port}/revoke` } });
  const own = await createBed(provider.issuer, service);
  const session = await own.signIn("jane");
  expect(revoked).toEqual([]);
  expect((await own.signOut(session)).statusCode).toBe(200);
  await until(() => revoked.length > 0);
  expect(new URLSearchParams(revoked[0]).get("token")).toMatch(/^[\w-]{20,}$/);
  await own.close();
  endpoint.close();
});

const cookieIn = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string =>
  String(headers["set-cookie"]).split(";")[0] ?? "";

const promptIn = (location: string) => new URL(location).searchParams.get("prompt");

test("only after a sign-out does the provider ask which account, or for a login if it can't ask that", async () => {
  expect(promptIn((await bed.begin()).location)).toBe(null);
  const { location, cookie, verifier } = await bed.begin("production", true);
  expect(promptIn(location)).toBe("select_account");

  // This provider doesn't know the prompt, so it sends the window back with an error.
  const refused = await logIn(location, "jane");
  expect(refused.searchParams.get("error")).toBe("invalid_request");
  const again = await bed.back(refused, cookie);
  expect([again.statusCode, promptIn(String(again.headers.location))]).toEqual([302, "login"]);
  const page = await bed.back(await logIn(String(again.headers.location), "jane"), cookieIn(again));
  expect((await bed.exchange(codeIn(page.body), verifier)).statusCode).toBe(200);
});

test.each([
  ["cancels", "access_denied", "ended the sign-in"],
  ["doesn't know the second prompt either", "invalid_request", "didn't return a valid sign-in"],
])("a provider that %s is asked no further time", async (_what, error, words) => {
  const start = await bed.begin("production", true);
  const refusalFor = (location: string) => {
    const { searchParams } = new URL(location);
    const fields = { error, state: searchParams.get("state") ?? "", iss: provider.issuer };
    return new URL(`${address}/sign-in/back?${new URLSearchParams(fields).toString()}`);
  };
  let page = await bed.back(refusalFor(start.location), start.cookie);
  if (page.statusCode === 302) {
    expect(error).toBe("invalid_request");
    page = await bed.back(refusalFor(String(page.headers.location)), cookieIn(page));
  }
  expect([page.statusCode, page.body]).toEqual([403, expect.stringContaining(words)]);
});
