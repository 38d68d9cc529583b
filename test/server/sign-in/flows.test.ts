/** Sign-ins in progress: nobody can push out those of others, however many they begin, and none lasts longer than ten minutes. */
import { randomBytes } from "node:crypto";
import { createMemoryStore } from "../../../src/server/keyed-store/in-memory";
import { createFlows, type Flow, type Flows } from "../../../src/server/sign-in/flows";
import { bind } from "../../helpers/memory-stores";
import { expectKind } from "../../helpers/outcome";
import { challengeOf } from "../../helpers/provider";
import { clockOf } from "../parts";

const verifier = randomBytes(32).toString("base64url");
const jane = { subject: "jane", name: "Jane", refreshToken: null, mayPublish: false };
const mallory = { ...jane, subject: "mallory" };

const flowOf = (challenge = challengeOf(verifier)): Flow => ({
  environment: "production",
  challenge,
  via: "popup",
  nonce: "nonce",
  codeVerifier: "verifier",
  slot: "a",
  prompt: null,
});

const anyChallenge = (): string => randomBytes(32).toString("base64url");

let flows: Flows;
let nowMs: number;
let secret: string;
beforeEach(() => {
  nowMs = 0;
  secret = "the-secret-of-inv";
  flows = createFlows({
    store: createMemoryStore(clockOf(() => nowMs)),
    bind,
    readKey: () => Promise.resolve(secret),
    wallNow: () => nowMs,
  });
});

const back = async ({ state, browser }: { state: string; browser: string }) =>
  (await flows.back(state, browser)).kind;

test("20,000 begun sign-ins push out nobody's", async () => {
  const own = await flows.begin(flowOf());
  for (let begun = 0; begun < 20_000; begun += 1) await flows.begin(flowOf(anyChallenge()));
  expect(await back(own)).toBe("back");
});

test("a sign-in must return within ten minutes", async () => {
  const [intime, late] = [await flows.begin(flowOf()), await flows.begin(flowOf())];
  nowMs = 599_000;
  expect(await back(intime)).toBe("back");
  nowMs = 600_000;
  expect(await back(late)).toBe("unknown");
});

test("a cookie that somebody made or changed opens nothing, and neither does one from before a new secret", async () => {
  const { state, browser } = await flows.begin(flowOf());
  const bytes = Buffer.from(browser, "base64url");
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  expect(await back({ state, browser: bytes.toString("base64url") })).toBe("unknown");
  expect(await back({ state, browser: "" })).toBe("unknown");
  secret = "a-new-secret";
  expect(await back({ state, browser })).toBe("unknown");
  secret = "the-secret-of-inv";
  expect(await back({ state, browser })).toBe("back");
});

test("one person's codes push out nobody else's", async () => {
  const { code } = expectKind("offered", await flows.offer(flowOf(), jane));
  for (let offered = 0; offered < 20_000; offered += 1) await flows.offer(flowOf(anyChallenge()), mallory);
  expect(await flows.take("production", code, verifier)).toEqual({ kind: "taken", signedIn: jane });
});
