/** Exchanging a code: the error distinguishes a wrong code, which a person can correct, from a server that accepts none now. */
import { startSignIn } from "../../src/connection/sign-in";
import { anEnvironment } from "./environments";

const environment = {
  ...anEnvironment("production", "production"),
  credentials: "server" as const,
  signIn: { at: "ACME", url: "https://inv.example/sign-in/begin/production" },
};

it.each([
  [400, "signed-out"],
  [403, "signed-out"],
  [502, "service-down"],
  [503, "service-down"],
])("%d of the server is %s", async (status, code) => {
  const transport = () => Promise.resolve(Response.json({}, { status }));
  const parts = {
    ...{ environment, transport, crypto: globalThis.crypto, clock: { now: () => 0 } },
    asksForAccount: () => false,
  };
  const started = await startSignIn(parts);
  await expect(started.exchange("ABCD2345")).rejects.toMatchObject({ code });
});

it.each([
  [true, "choose"],
  [false, null],
])("the window's address asks for an account only after a sign-out (%p)", async (asksForAccount, account) => {
  const transport = () => Promise.reject(new Error("unused"));
  const clock = { now: () => 0 };
  const started = await startSignIn({
    environment,
    transport,
    crypto: globalThis.crypto,
    clock,
    asksForAccount: () => asksForAccount,
  });
  expect(new URL(started.address("popup")).searchParams.get("account")).toBe(account);
});
