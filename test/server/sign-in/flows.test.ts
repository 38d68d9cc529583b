/** How many sign-ins may be under way: in all, and for one address, which pushes out its own. */
import { randomBytes } from "node:crypto";
import { createFlows, type Flow, type Flows } from "../../../src/server/sign-in/flows";
import { challengeOf } from "../../helpers/scripted-provider";
import { clockOf } from "../parts";

const verifier = randomBytes(32).toString("base64url");
const jane = { subject: "jane", name: "Jane", refreshToken: null };

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
  flows = createFlows(clockOf(() => nowMs));
});

test("who begins sign-ins without end pushes out those of their own address alone", () => {
  const colleague = flows.begin(flowOf("192.0.2.1"));
  const own = flows.begin(flowOf("192.0.2.2"));
  for (let begun = 0; begun < 20_000; begun += 1) flows.begin(flowOf("192.0.2.2"));
  const last = flows.begin(flowOf("192.0.2.2"));
  expect(flows.back(own.state, own.browser)).toBeNull();
  expect(flows.back(last.state, last.browser)).not.toBeNull();
  expect(flows.back(colleague.state, colleague.browser)).toMatchObject({ address: "192.0.2.1" });
});

test("and so with codes that nobody takes", () => {
  const code = flows.offer(flowOf("192.0.2.1"), jane);
  for (let offered = 0; offered < 20_000; offered += 1) {
    flows.offer(flowOf("192.0.2.2", anyChallenge()), jane);
  }
  expect(flows.take("production", code, verifier)).toEqual(jane);
});

test("an office of forty that comes at once has room, also where others of it have given up", () => {
  for (let day = 0; day < 20; day += 1) {
    const begun = Array.from({ length: 40 }, () => flows.begin(flowOf("192.0.2.1")));
    for (const [index, { state, browser }] of begun.entries()) {
      if (index % 2 === 0) expect(flows.back(state, browser)).not.toBeNull();
    }
    nowMs += 86_400_000;
  }
});

test("however many addresses they come from, ten thousand are under way at most", () => {
  const first = flows.begin(flowOf("first"));
  for (let begun = 0; begun < 10_000; begun += 1) flows.begin(flowOf(`address ${begun % 100}`));
  expect(flows.back(first.state, first.browser)).toBeNull();
});
