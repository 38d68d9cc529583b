/** Attacks on signing in, all refused: from a provider, a thief, a foreign page and a curious colleague. */
import { randomBytes } from "node:crypto";
import { challengeOf, type ProviderProcess } from "../../helpers/provider";
import {
  address,
  atProvider,
  type Bed,
  type Begun,
  codeIn,
  createBed,
  type Service,
  setUpSignIn,
  tokenIn,
} from "./bed";

const host = "inv.example.com";

let provider: ProviderProcess;
let service: Service;
let bed: Bed;
setUpSignIn((each) => ({ provider, service, bed } = each));

async function offered(): Promise<Begun & { readonly code: string }> {
  const { returned, ...begun } = await atProvider(bed);
  return { ...begun, code: codeIn((await bed.back(returned, begun.cookie)).body) };
}

test("a correct sign-in succeeds, as the baseline for the attacks", async () => {
  expect((await bed.token(await bed.signIn("jane"))).statusCode).toBe(200);
});

test("a mix-up of two issuers is refused: the answer names another issuer, or none", async () => {
  for (const issuer of ["https://evil.example.com", null]) {
    const { returned, cookie } = await atProvider(bed);
    if (issuer === null) returned.searchParams.delete("iss");
    else returned.searchParams.set("iss", issuer);
    expect((await bed.back(returned, cookie)).body).not.toContain("data-code");
  }
});

test("an unknown state and a used one are refused", async () => {
  const { returned, cookie } = await atProvider(bed);
  const foreign = new URL(returned);
  foreign.searchParams.set("state", randomBytes(32).toString("base64url"));
  expect((await bed.back(foreign, cookie)).statusCode).toBe(400);
  expect((await bed.back(returned, cookie)).statusCode).toBe(200);
  expect((await bed.back(returned, cookie)).statusCode).toBe(400);
});

test("an answer in another browser is refused: without the cookie, with another, with others", async () => {
  const foreign = randomBytes(32).toString("base64url");
  for (const jarOf of [
    () => "",
    (name: string) => `${name}=${foreign}`,
    (name: string) => ["a", "b", "c"].map((end) => `${name.slice(0, -1)}${end}=${foreign}`).join("; "),
  ]) {
    const { returned, cookie } = await atProvider(bed);
    expect((await bed.back(returned, jarOf(cookie.split("=")[0] ?? ""))).statusCode).toBe(400);
  }
});

test("the cookie belongs to the server, is hidden from scripts, and expires soon", async () => {
  const answer = await bed.app.inject({
    url: `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup`,
    headers: { host },
  });
  expect(String(answer.headers["set-cookie"]).replace(/-[\w-]{8}=[\w-]{43};/, "-…;")).toBe(
    "__Host-inv-sign-in-…; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax",
  );
});

test("a page that begins sign-ins without end pushes out no honest one of the browser, and sets one cookie", async () => {
  const { returned, cookie } = await atProvider(bed);
  for (let begun = 0; begun < 20; begun += 1) {
    expect((await bed.begin("production", false, cookie)).cookie).toBe(cookie);
  }
  expect((await bed.back(returned, cookie)).statusCode).toBe(200);
});

test("a network begins and returns at most 200 times a minute, others still do, and the log stays short", async () => {
  const status = async (url: string, remoteAddress: string) =>
    (await bed.app.inject({ url, remoteAddress, headers: { host } })).statusCode;
  const begin = `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup`;
  const back = "/sign-in/back?code=x&state=y";
  const lines = bed.log.length;
  for (const [url, usual] of [
    [begin, 302],
    [back, 400],
  ] as const) {
    const answers: number[] = [];
    for (let asked = 0; asked < 230; asked += 1) answers.push(await status(url, "203.0.113.7"));
    expect(answers).toEqual([...Array<number>(200).fill(usual), ...Array<number>(30).fill(429)]);
    expect(await status(url, "203.0.113.8")).toBe(usual);
  }
  expect(bed.log.length - lines).toBeLessThanOrEqual(20);
  expect(bed.log.join("")).toContain("Sign-ins were refused");
  bed.later(60_000);
  expect(await status(begin, "203.0.113.7")).toBe(302);
});

test("all networks together return at most 1,000 times a minute, so that few states are stored", async () => {
  const answers = new Map<number, number>();
  for (let asked = 0; asked < 1_200; asked += 1) {
    const { statusCode } = await bed.app.inject({
      ...{ url: "/sign-in/back?code=x&state=y", headers: { host } },
      remoteAddress: `203.0.${Math.floor(asked / 100)}.7`,
    });
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
  }
  expect([...answers]).toEqual([
    [400, 1_000],
    [429, 200],
  ]);
});

test("a code is refused without the pane's verifier, when repeated, in another environment, and when old", async () => {
  const stolen = await offered();
  const thief = await bed.begin();
  expect((await bed.exchange(stolen.code, thief.verifier)).statusCode).toBe(403);
  expect((await bed.exchange(stolen.code, stolen.verifier, "sandbox")).statusCode).toBe(403);
  expect((await bed.exchange(stolen.code, stolen.verifier)).statusCode).toBe(200);
  expect((await bed.exchange(stolen.code, stolen.verifier)).statusCode).toBe(403);
  const old = await offered();
  bed.later(301_000);
  expect((await bed.exchange(old.code, old.verifier)).statusCode).toBe(403);
});

test("a session is refused in another environment, when invented, and after its sign-out", async () => {
  const session = await bed.signIn("jane");
  expect((await bed.token(session, "sandbox")).headers["inv-refusal"]).toBe("session");
  const token = tokenIn(await bed.token(session));
  expect((await bed.look(token, "sandbox")).headers["inv-refusal"]).toBe("token");
  expect((await bed.token("made-up")).headers["inv-refusal"]).toBe("session");
  await bed.signOut(session, "sandbox");
  expect((await bed.token(session)).statusCode).toBe(200);
  await bed.signOut(session);
  expect((await bed.token(session)).headers["inv-refusal"]).toBe("session");
});

test("a secret instead of a session is refused, even the right one", async () => {
  const answer = await bed.app.inject({
    method: "POST",
    url: "/relay/production/token",
    headers: { host, "content-type": "application/x-www-form-urlencoded" },
    payload:
      "grant_type=client_credentials&client_id=acme-production&client_secret=the-secret-of-the-supplier",
  });
  expect(answer.statusCode).toBe(400);
});

test("no address contains a redirect target", async () => {
  const evil = "https%3A%2F%2Fevil.example.com";
  const url = `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup&redirect_uri=${evil}&issuer=${evil}&return=${evil}`;
  const { headers } = await bed.app.inject({ url, headers: { host } });
  const sent = new URL(String(headers.location));
  expect(sent.origin).toBe(provider.issuer);
  expect(sent.searchParams.get("redirect_uri")).toBe(`${address}/sign-in/back`);
  expect(sent.href).not.toContain("evil");
});

test("a fixed session is refused: the code works only for the pane that started the sign-in", async () => {
  // An attacker who lures somebody into a window with the attacker's challenge has its verifier, but not the code: only a
  // page of this server gets the code. An attacker with their own code can't pass it to another person's pane.
  const attackers = await offered();
  const victim = await bed.begin();
  expect((await bed.exchange(attackers.code, victim.verifier)).statusCode).toBe(403);
});

test.each(["iframe", "image", "script", "empty", "object"])(
  "refuses a sign-in that doesn't run in a window: %s",
  async (dest) => {
    const { returned, cookie } = await atProvider(bed);
    const headers = { host, cookie, "sec-fetch-dest": dest };
    expect((await bed.app.inject({ url: returned.pathname + returned.search, headers })).body).not.toContain(
      "data-code",
    );
    const challenge = challengeOf(randomBytes(32).toString("base64url"));
    const url = `/sign-in/begin/production?challenge=${challenge}&via=popup`;
    expect((await bed.app.inject({ url, headers })).statusCode).toBe(403);
  },
);

test("a page of another site can't exchange a code or end a session", async () => {
  const { code, verifier } = await offered();
  const headers = { host, "sec-fetch-site": "cross-site", origin: "https://evil.example.com" };
  const exchange = { code, verifier };
  const asked = [
    { url: "/sign-in/session/production", payload: exchange },
    { url: "/sign-in/end/production", payload: { session: await bed.signIn("jane") } },
  ];
  for (const { url, payload } of asked) {
    expect((await bed.app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(403);
  }
  expect((await bed.exchange(code, verifier)).statusCode).toBe(200);
});

test("a sign-in is refused under another server name, and for an environment without sign-in", async () => {
  const query = `challenge=${"a".repeat(43)}&via=popup`;
  const begin = (environment: string, name: string) =>
    bed.app.inject({ url: `/sign-in/begin/${environment}?${query}`, headers: { host: name } });
  expect((await begin("production", "localhost")).statusCode).toBe(400);
  expect((await begin("demo", host)).statusCode).toBe(404);
  expect((await begin("production", "evil.example.com")).statusCode).toBe(421);
});

test.each([
  ["begins", "the default port", { host: `${host}:443` }],
  ["begins", "another forwarded name", { host, "x-forwarded-host": "inv-1.internal:3000" }],
  [
    "begins",
    "another name, and forwards the browser's",
    { host: "inv-1.internal", "x-forwarded-host": host },
  ],
  ["is refused", "another name", { host: "inv-1.internal" }],
])("a sign-in %s behind a trusted proxy that sends %s", async (how, _what, headers) => {
  const hosts = [host, "inv-1.internal"];
  const other = await createBed(provider.issuer, service, {}, {}, { hosts, trustProxy: ["127.0.0.1"] });
  const url = `/sign-in/begin/production?challenge=${"a".repeat(43)}&via=popup`;
  const { statusCode, body } = await other.app.inject({ url, headers });
  const refusal = `the request names inv-1.internal, and signIn.address is ${address}. If the browser`;
  expect([statusCode, other.log.join("").includes(refusal)]).toEqual(
    how === "begins" ? [302, false] : [400, true],
  );
  if (how !== "begins") expect(body).toContain("ask your administrator to look at the server's log");
  await other.close();
});
