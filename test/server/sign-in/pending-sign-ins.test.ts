/** Sign-ins in progress: nobody can push out those of others, however many they begin, and none lasts longer than ten minutes. */
import { randomBytes } from "node:crypto";
import { createMemoryStore } from "../../../src/server/keyed-store/in-memory";
import { type KeyedStore, openSecret } from "../../../src/server/keyed-store/keyed-store";
import {
  createPendingSignIns,
  type PendingSignIn,
  type PendingSignIns,
} from "../../../src/server/sign-in/pending-sign-ins";
import { bind } from "../../helpers/memory-stores";
import { expectKind } from "../../helpers/outcome";
import { challengeOf } from "../../helpers/provider";
import { clockOf } from "../parts";

const verifier = randomBytes(32).toString("base64url");
const jane = { subject: "jane", name: "Jane", refreshToken: null, mayPublish: false };
const mallory = { ...jane, subject: "mallory" };

const anyChallenge = (): string => randomBytes(32).toString("base64url");
const browser = "the-cookie-of-the-browser";

const pendingOf = (challenge = challengeOf(verifier)): PendingSignIn => ({
  environment: "production",
  challenge,
  via: "popup",
  nonce: anyChallenge(),
  codeVerifier: "verifier",
  prompt: null,
});

let store: KeyedStore;
let pendingSignIns: PendingSignIns;
let nowMs: number;
const restart = () => {
  store = createMemoryStore(clockOf(() => nowMs));
  pendingSignIns = createPendingSignIns({ store, bind, wallNow: () => nowMs });
};
beforeEach(() => {
  nowMs = 0;
  restart();
});

const begin = async (challenge?: string) =>
  expectKind("begun", await pendingSignIns.begin(pendingOf(challenge), browser)).state;
const back = async (state: string, of = browser) => (await pendingSignIns.back(state, of)).kind;

test("20,000 sign-ins that begin push out nobody's, in the same browser either", async () => {
  const own = await begin();
  for (let begun = 0; begun < 20_000; begun += 1) await begin(anyChallenge());
  expect(await back(own)).toBe("back");
});

test("a sign-in must return within ten minutes", async () => {
  const [intime, late] = [await begin(), await begin()];
  nowMs = 599_000;
  expect(await back(intime)).toBe("back");
  nowMs = 600_000;
  expect(await back(late)).toBe("unknown");
});

test("a state that somebody made or changed opens nothing, and neither does one of another browser or of before a restart", async () => {
  const state = await begin();
  const bytes = Buffer.from(state, "base64url");
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  expect(await back(bytes.toString("base64url"))).toBe("unknown");
  expect(await back("")).toBe("unknown");
  expect(await back(state, "another-browser")).toBe("unknown");
  const later = await begin();
  expect(await back(state)).toBe("back");
  restart();
  expect(await back(later)).toBe("unknown");
});

test("a state opens once, in any spelling of the same bytes", async () => {
  const state = await begin();
  expect(await back(state)).toBe("back");
  for (const again of [state, `${state}=`, `${state}==`, `${state}.`]) {
    expect(await back(again)).toBe("unknown");
  }
});

test("nobody who guesses the provider's secret can open or make a state: it has no part in the key", async () => {
  const state = Buffer.from(await begin(), "base64url");
  const { text } = expectKind("shared", await store.shared("sign-in key"));
  expect(openSecret("flow", `${text} ${browser}`, state)).toContain('"production"');
  expect(openSecret("flow", `the-secret-of-inv ${browser}`, state)).toBeNull();
});

test("one person's codes push out nobody else's", async () => {
  const { code } = expectKind("offered", await pendingSignIns.offer(pendingOf(), jane));
  for (let offered = 0; offered < 20_000; offered += 1) {
    await pendingSignIns.offer(pendingOf(anyChallenge()), mallory);
  }
  expect(await pendingSignIns.take("production", code, verifier)).toEqual({ kind: "taken", signedIn: jane });
});
