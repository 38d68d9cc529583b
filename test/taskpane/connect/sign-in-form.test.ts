/** Signing in: wrong codes, failures, a refused window, and sign-ins that the person leaves. */
import { InvError } from "../../../src/domain/errors";
import type { Environment } from "../../../src/domain/environment";
import type { PreparedSignIn, SignInEvent, SignInService } from "../../../src/taskpane/services";
import { anEnvironment } from "../../connection/environments";
import { buttons, root, shown } from "../page";
import { openPane } from "../pane-bed";

const trial: Environment = {
  ...anEnvironment("trial", "sandbox"),
  credentials: "server",
  signIn: { at: "ACME", url: "https://inv.example/sign-in/begin/trial" },
};

/** The window is open, and the test ends the exchange of its code. */
async function atCode() {
  let onEvent: (event: SignInEvent) => void = () => undefined;
  const exchanges: { code: string; signal: AbortSignal; end: (error: InvError | null) => void }[] = [];
  const prepared: PreparedSignIn = {
    link: () => "https://inv.example/sign-in",
    open(listener) {
      onEvent = listener;
      return { close: () => undefined };
    },
    signIn: (code, { signal }) =>
      new Promise((resolve, reject) =>
        exchanges.push({ code, signal, end: (error) => (error ? reject(error) : resolve()) }),
      ),
  };
  const signIn: SignInService = {
    prepare: () => Promise.resolve(prepared),
    signOut: () => Promise.reject(new Error("The server is down.")),
  };
  const pane = await openPane({
    environments: [trial, anEnvironment("demo", "demo")],
    instead: () => ({ signIn }),
  });
  await pane.press("Sign in at ACME");
  await pane.sees("Sign in, in the window that has opened.");
  return { pane, exchanges, tell: (event: SignInEvent) => onEvent(event) };
}

it("a wrong code can be typed again, and after any other failure the same code can be tried again", async () => {
  const { pane, exchanges, tell } = await atCode();
  tell({ kind: "code", code: "ABCD2345" });
  await pane.sees("Signing in…");
  expect(buttons("Sign in at ACME")).toEqual([]);
  exchanges[0]?.end(new InvError("signed-out", "This code is wrong."));
  await pane.sees("This code is wrong.");
  await pane.type("inv-sign-in-code", "EFGH2345");
  await pane.press("Use the code");
  exchanges[1]?.end(new InvError("unreachable", "INV's server can't be reached."));
  await pane.sees("INV's server can't be reached.");
  await pane.press("Use the code");
  exchanges[2]?.end(null);
  await pane.clock.turns();
  expect(shown()).not.toMatch(/Use the code|Signing in/);
  expect(exchanges.map(({ code }) => code)).toEqual(["ABCD2345", "EFGH2345", "EFGH2345"]);
});

it("a sign-in is cancelled by its button and by choosing another environment, also while the server doesn't answer", async () => {
  const { pane, exchanges, tell } = await atCode();
  tell({ kind: "code", code: "ABCD2345" });
  await pane.sees("Signing in…");
  await pane.press("Cancel");
  expect(exchanges[0]?.signal.aborted).toBe(true);
  await pane.press("Sign in at ACME");
  tell({ kind: "closed" });
  await pane.sees("The window is closed.");
  await pane.type("inv-sign-in-code", "EFGH2345");
  await pane.press("Use the code");
  await pane.type("inv-environment", "demo");
  await pane.clock.turns();
  expect(exchanges[1]?.signal.aborted).toBe(true);
});

it("a window that the browser refuses is reported, with a link that works too", async () => {
  const { pane, exchanges, tell } = await atCode();
  tell({ kind: "refused" });
  await pane.sees("The sign-in window didn't open. Allow it, or sign in by this link");
  expect(root.querySelector("a[rel=opener]")?.getAttribute("href")).toBe("https://inv.example/sign-in");
  tell({ kind: "code", code: "ABCD2345" });
  await pane.sees("Signing in…");
  expect(exchanges).toHaveLength(1);
});
