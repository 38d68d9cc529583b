/** The number of sign-ins that may be in progress: in total, and for one address. A new one removes an old one of its address. */
import { randomBytes } from "node:crypto";
import { createMemoryStore } from "../../../src/server/keyed-store/in-memory";
import { createFlows, type Flow, type Flows } from "../../../src/server/sign-in/flows";
import { bind } from "../../helpers/memory-stores";
import { expectKind } from "../../helpers/outcome";
import { challengeOf } from "../../helpers/provider";
import { clockOf } from "../parts";

const verifier = randomBytes(32).toString("base64url");
const jane = { subject: "jane", name: "Jane", refreshToken: null, mayPublish: false };

const flowOf = (address: string, challenge = challengeOf(verifier)): Flow => ({
  address,
  environment: "production",
  challenge,
  via: "popup",
  nonce: "nonce",
  codeVerifier: "verifier",
});

const anyChallenge = (): string => randomBytes(32).toString("base64url");

let flows: Flows;
let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  flows = createFlows({ store: createMemoryStore(clockOf(() => nowMs)), bind });
});

const begin = async (flow: Flow) => expectKind("begun", await flows.begin(flow));
const back = async ({ state, browser }: { state: string; browser: string }) =>
  (await flows.back(state, browser)).kind;

test("codes that nobody uses are limited in the same way", async () => {
  const { code } = expectKind("offered", await flows.offer(flowOf("192.0.2.1"), jane));
  for (let offered = 0; offered < 20_000; offered += 1) {
    await flows.offer(flowOf("192.0.2.2", anyChallenge()), jane);
  }
  expect(await flows.take("production", code, verifier)).toEqual({ kind: "taken", signedIn: jane });
});

test("an office of forty can sign in at once, even after abandoned attempts", async () => {
  for (let day = 0; day < 20; day += 1) {
    const begun = await Promise.all(Array.from({ length: 40 }, () => begin(flowOf("192.0.2.1"))));
    for (const [index, each] of begun.entries()) if (index % 2 === 0) expect(await back(each)).toBe("back");
    nowMs += 86_400_000;
  }
});

test("at most ten thousand are in progress, from any number of addresses", async () => {
  const first = await begin(flowOf("first"));
  for (let begun = 0; begun < 10_000; begun += 1) await begin(flowOf(`address ${begun % 100}`));
  expect(await back(first)).toBe("unknown");
});
