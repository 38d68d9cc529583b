/** The provider's answers are not lost while the store of sessions is unavailable. */
import type { Provider } from "../../../src/server/sign-in/provider";
import { createServerCredentials } from "../../../src/server/sign-in/server-credentials";
import type { SignedIn } from "../../../src/server/sign-in/sessions";
import { expectKind } from "../../helpers/outcome";
import { memoryStores } from "../../helpers/memory-stores";
import { createVirtualClock } from "../../helpers/virtual-clock";

it("keeps a refresh token that was renewed while the store was away, and uses it next time", async () => {
  const clock = createVirtualClock();
  const lasts = { idleMs: 36_000_000, totalMs: 36_000_000 };
  const { sessions: memory } = memoryStores(clock, lasts);
  let isAway = false;
  const asked: (string | null)[] = [];
  const credentials = createServerCredentials({
    environment: "live",
    consumerId: "acme",
    sessions: {
      ...memory,
      confirm: (...given) => (isAway ? Promise.resolve("away") : memory.confirm(...given)),
    },
    provider: {
      recheck(signedIn: SignedIn) {
        asked.push(signedIn.refreshToken);
        return Promise.resolve({
          kind: "in",
          signedIn: { ...signedIn, refreshToken: `renewed-${asked.length}` },
        });
      },
    },
    token: {
      current: () => Promise.resolve({ kind: "valid", serviceToken: "s" }),
      refused: () => undefined,
      worked: () => undefined,
    },
    clock,
    onPutOut: () => undefined,
    warn: () => undefined,
  });
  const begun = await memory.begin("live", {
    subject: "jane",
    name: "Jane",
    refreshToken: "first",
    mayPublish: false,
  });
  const text = begun.kind === "begun" ? begun.text : "";
  const stored = async () => expectKind("found", await memory.find("live", text)).session.refreshToken;
  isAway = true;
  await clock.advance(700_000);
  expect((await credentials.admit(text)).kind).toBe("admitted");
  expect(await stored()).toBe("first");
  // The next check comes before the store is available again.
  await clock.advance(700_000);
  await credentials.admit(text);
  isAway = false;
  // Other servers find the latest state there, without a request at this server.
  await clock.advance(2_000);
  expect(await stored()).toBe("renewed-2");
  await clock.advance(700_000);
  await credentials.admit(text);
  expect(asked).toEqual(["first", "renewed-1", "renewed-2"]);
  expect(await stored()).toBe("renewed-3");
});

type Rechecked = Awaited<ReturnType<Provider["recheck"]>>;

it("a person isn't confirmed by a check of another server that has no answer yet", async () => {
  const clock = createVirtualClock();
  const { sessions } = memoryStores(clock, { idleMs: 36_000_000, totalMs: 36_000_000 });
  const serverWith = (recheck: () => Promise<Rechecked>) =>
    createServerCredentials({
      ...{ environment: "live", consumerId: "acme", sessions, provider: { recheck }, clock },
      token: {
        current: () => Promise.resolve({ kind: "valid", serviceToken: "s" }),
        refused: () => undefined,
        worked: () => undefined,
      },
      onPutOut: () => undefined,
      warn: () => undefined,
    });
  const signedIn = { subject: "jane", name: "Jane", refreshToken: "first", mayPublish: true };
  const { text } = expectKind("begun", await sessions.begin("live", signedIn));
  let answer: (answer: Rechecked) => void = () => undefined;
  const slow = serverWith(() => new Promise((resolve) => (answer = resolve)));
  const other = serverWith(() => Promise.reject(new Error("It is being asked.")));
  const confirming = slow.confirm(text);
  await clock.turns();
  expect(await other.confirm(text)).toMatchObject({ kind: "unconfirmed" });
  answer({ kind: "in", signedIn: { ...signedIn, mayPublish: false } });
  expect(await confirming).toMatchObject({ kind: "admitted" });
});
