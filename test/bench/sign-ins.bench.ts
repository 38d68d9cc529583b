/**
 * Forty people come in the morning: each signs in through a real provider, gets a token and refreshes a sheet of five
 * stores with 100 items, over real HTTP with provider, server and service in processes of their own on one machine.
 */
import { createHash, randomBytes } from "node:crypto";
import { type SignInBed, startSignInBed } from "../browser/sign-in-bed";
import { logIn } from "../helpers/provider";
import { seconds, table } from "./figures";
import { findings } from "./in-jest";

jest.setTimeout(120_000);

const people = 40;
const storesOfEach = 5;
const found = findings<string>((all) => all.join(""));

let bed: SignInBed;
beforeAll(async () => {
  bed = await startSignInBed();
});
afterAll(() => bed.stop());

const post = (path: string, body: string, headers: Record<string, string>): Promise<Response> =>
  fetch(bed.inv.origin + path, { method: "POST", headers, body });

async function signIn(): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const begun = await fetch(`${bed.inv.origin}/sign-in/begin/trial?challenge=${challenge}&via=popup`, {
    redirect: "manual",
  });
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const back = await logIn(begun.headers.get("location") ?? "", "jane");
  const page = await (await fetch(back, { headers: { cookie } })).text();
  const code = /data-code="(\w{8})"/.exec(page)?.[1];
  const json = { "content-type": "application/json" };
  const answer = await post("/sign-in/session/trial", JSON.stringify({ code, verifier }), json);
  return ((await answer.json()) as { session: string }).session;
}

async function tokenFor(session: string): Promise<string> {
  const form = new URLSearchParams({ grant_type: "session", session }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await post("/relay/trial/token", form, headers);
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function refresh(person: number, token: string): Promise<readonly number[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const stores = Array.from({ length: storesOfEach }, (_, store) => 100 + person * storesOfEach + store);
  return Promise.all(
    stores.map(async (store_nbr) => {
      const item_type_values = Array.from({ length: 100 }, (_, item) => String(item + 1).padStart(14, "0"));
      const answer = await post(
        "/relay/trial/search-items",
        JSON.stringify({ item_type: "gtin", item_type_values, store_nbr }),
        headers,
      );
      await answer.text();
      return answer.status;
    }),
  );
}

/** Each one's milliseconds, and how long it took until the last. */
async function timed<T>(each: readonly (() => Promise<T>)[]) {
  const startedAt = performance.now();
  const took: number[] = [];
  const results = await Promise.all(
    each.map(async (work) => {
      const result = await work();
      took.push(performance.now() - startedAt);
      return result;
    }),
  );
  took.sort((one, other) => one - other);
  const shown = [took[Math.floor(took.length / 2)], took.at(-1)].map((ms = NaN) => seconds(ms));
  return { results, shown };
}

test("forty sign-ins and a refresh", async () => {
  const all = Array.from({ length: people }, (_, person) => person);
  const sessions = await timed(all.map(() => signIn));
  const tokens = await timed(sessions.results.map((session) => () => tokenFor(session)));
  const answers = await timed(tokens.results.map((token, person) => () => refresh(person, token)));
  const statuses = answers.results.flat();
  expect(new Set(sessions.results).size).toBe(people);
  expect(new Set(tokens.results).size).toBe(people);
  expect(bed.serviceTokens).toHaveLength(1);
  const rows = [
    ["the whole sign-in, from the button's address to the session", ...sessions.shown],
    ["a page's token for the session", ...tokens.shown],
    [`a refresh of ${storesOfEach} stores with 100 items each`, ...answers.shown],
  ];
  found(`## Forty sign-ins and a refresh

${people} people at once, over real HTTP, with provider, server and service in processes of their own on one machine. Seconds
from the start of each step until half of them, and until the last of them, have it.

${table(["step", "half", "last"], rows)}

Calls of the refresh: ${statuses.length}, of which the company's quota sent back ${statuses.filter((status) => status === 429).length}. Tokens that the service gave
for all of it: ${bed.serviceTokens.length}.
`);
});
