/** Connecting: what the pane tests, shows and uses, the latest choice, and results that arrive too late. */
import { InvError } from "../../../src/domain/errors";
import { buttons, shown } from "../page";
import { gateway } from "../../helpers/scripted-service";
import type { Environment } from "../../../src/domain/environment";
import type { PreparedSignIn, SignInEvent, SignInService } from "../../../src/taskpane/services";
import { anEnvironment, notSetUp } from "../../connection/environments";
import { openPane, type PaneBed } from "../pane-bed";

const known = '=INV.QTY(1234,"00012345678905")';
const demo = { "inv.environment": "demo" };

/** The form of Production is open, and its service refuses the secret `wrong`. */
async function atProduction(formulas: string[] = []): Promise<PaneBed> {
  const pane = await openPane({ settings: demo, formulas });
  pane.service.production.script(({ operation, body }) =>
    operation === "token" && body.includes("client_secret=wrong") ? gateway(401, "no") : undefined,
  );
  await pane.openTab("Settings");
  await pane.type("inv-environment", "production");
  await pane.sees("This workbook uses Demo until you connect to Production.");
  return pane;
}

async function typeCredentials({ type }: PaneBed, secret: string): Promise<void> {
  await type("inv-consumer-id", "  consumer ");
  await type("inv-client-secret", ` ${secret}\n`);
}

it("tests trimmed credentials, says why they are refused, and changes nothing in use", async () => {
  const pane = await atProduction([known]);
  const before = pane.values();
  await typeCredentials(pane, "secret");
  await pane.press("Test connection");
  await pane.sees("The connection works: Production gave a token and answered a request.");
  expect(pane.service.production.of("token")[0]?.body).toContain("client_id=consumer&client_secret=secret");
  await typeCredentials(pane, "wrong");
  expect(shown()).not.toContain("The connection works");
  await pane.press("Test connection");
  await pane.sees(/Error: .*refused/);
  // What was refused once is no better for being used anyway.
  expect(buttons("Use it anyway")).toEqual([]);
  expect(shown()).toContain("made-up, not real stock");
  expect(await pane.workbook.setting("inv.environment")).toBe("demo");
  expect(pane.values()).toEqual(before);
});

it("credentials typed during a test don't get that test's result", async () => {
  const pane = await atProduction();
  await typeCredentials(pane, "secret");
  await pane.press("Test connection");
  expect(shown()).toContain("Testing…");
  expect(buttons("Connect to Production")).toEqual([]);
  await typeCredentials(pane, "wrong");
  expect(shown()).not.toContain("Testing…");
  await pane.clock.advance(5_000);
  expect(shown()).not.toContain("The connection works");
});

it("connects: the workbook names the environment, its cells are calculated there, and the secret is forgotten here", async () => {
  const pane = await atProduction([known, known]);
  await typeCredentials(pane, "secret");
  await pane.press("Connect to Production");
  await pane.sees("Connected to Production. INV calculates its cells again.");
  await pane.sees("kept until you close INV");
  await pane.sees(/^.*\nProduction.*real stock.*Ready/s);
  expect(await pane.workbook.setting("inv.environment")).toBe("production");
  expect(pane.service.production.of("search").at(-1)?.values).toEqual(["00012345678905"]);
  expect(pane.values()).toEqual([expect.any(Number), expect.any(Number)]);
  expect(shown()).not.toContain("still show");
  await pane.press("Forget");
  await pane.sees("INV has forgotten the credentials, here and on this device.");
  await pane.sees("Client secret");
  expect(shown()).toContain("No credentials");
});

it("choosing another environment gives up the first, however late it answers", async () => {
  const pane = await atProduction([known]);
  pane.service.production.latencyMs = 3_000;
  await typeCredentials(pane, "secret");
  await pane.press("Connect to Production");
  await pane.type("inv-environment", "demo");
  await pane.clock.advance(10_000);
  expect(await pane.workbook.setting("inv.environment")).toBe("demo");
  expect(shown()).not.toContain("Connected to");
  expect(pane.service.production.of("search")).toEqual([]);
});

it("a refused demo account can be used anyway, and is then refused in the cells too", async () => {
  const pane = await openPane({ settings: demo, formulas: [known] });
  const before = pane.values();
  pane.service.demo.script(({ body }) => (body.includes("rival") ? gateway(401, "no") : undefined));
  await pane.openTab("Settings");
  expect(buttons("Connect again")).toHaveLength(1);
  await pane.type("inv-account", "rival");
  await pane.sees("This workbook uses the account demo until you connect.");
  await pane.press("Connect to Demo");
  await pane.sees(/Error: .*refused/);
  expect(pane.values()).toEqual(before);
  await pane.press("Use it anyway");
  await pane.sees("Check credentials");
  expect(pane.values()).not.toEqual(before);
});

it("an environment that is not set up says what to ask the administrator, and can't be connected to", async () => {
  const pane = await openPane({ environments: [notSetUp("sandbox", "sandbox")] });
  await pane.sees("sandbox isn't set up yet. Ask your administrator.");
  expect(buttons("Connect to")).toEqual([]);
});

it("an environment that left the list is replaced by the one in use", async () => {
  const pane = await atProduction();
  const { environments } = (await pane.files["environments.json"]) as { environments: object[] };
  pane.files["environments.json"] = { environments: environments.slice(0, 1) };
  await pane.services.connection.reload();
  await pane.sees("Connect again");
});

it("a list that can't be loaded has a button to try again", async () => {
  const pane = await openPane();
  const list = pane.files["environments.json"];
  pane.files["environments.json"] = undefined;
  await pane.services.connection.reload();
  await pane.sees("Try again");
  pane.files["environments.json"] = list;
  await pane.press("Try again");
  await pane.sees("Connect to Demo");
  expect(buttons("Try again")).toEqual([]);
});

it("a list that can't be read again leaves the form as it is", async () => {
  const pane = await atProduction();
  await typeCredentials(pane, "secret");
  pane.files["environments.json"] = undefined;
  await pane.services.connection.reload();
  await pane.sees("Try again");
  await pane.press("Connect to Production");
  await pane.sees("Connected to Production.");
});

it("says that credentials are forgotten only if the device has forgotten them", async () => {
  const pane = await atProduction();
  await typeCredentials(pane, "secret");
  await pane.press("Connect to Production");
  await pane.sees("kept until you close INV");
  await pane.press("Change credentials");
  await pane.press("Keep the earlier credentials");
  const { connection } = pane.services;
  const { get } = connection;
  jest
    .spyOn(connection, "get")
    .mockImplementation(() => ({ ...get(), notice: "The browser didn't delete." }));
  await pane.press("Forget");
  await pane.sees("Client secret");
  expect(shown()).not.toContain("has forgotten");
});

describe("signing in", () => {
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
      link: "https://inv.example/sign-in",
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

  it("leaves a wrong code to be typed again, and any other failure to be tried again with the same code", async () => {
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

  it("is cancelled by its button and by choosing another environment, also while the server doesn't answer", async () => {
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
});

describe("the first run", () => {
  const item = { gtin: "00012345678905", supplier_name: "", stores_without_data: [] };
  const world = { accounts: [], stores: [1234], stores_in_all: 1, items: [item], items_in_all: 1 };

  it("fills a sample sheet by one button and then shows its refresh, even while cells calculate", async () => {
    const pane = await openPane();
    pane.files["demo-data"] = world;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    pane.workbook.format = () => held;
    await pane.press("Try with demo data");
    await pane.clock.advance(1_000);
    const report = pane.services.cells.begin("Plan!C2", "demo");
    await pane.clock.until(
      pane.services.engine.item({ storeNumber: 1234, itemType: "gtin", value: item.gtin }),
    );
    await pane.sees("Filling the sheet…");
    report.settled();
    release();
    await pane.sees("What to refresh");
    expect(await pane.workbook.setting("inv.environment")).toBe("demo");
  });

  it("says why it failed, and can be tried again", async () => {
    const pane = await openPane();
    await pane.press("Try with demo data");
    await pane.sees(/couldn't read "demo-data"/);
    pane.files["demo-data"] = world;
    pane.workbook.addSheet = () => Promise.reject(new InvError("internal", "The workbook is protected."));
    await pane.press("Try with demo data");
    await pane.sees("The workbook is protected.");
    expect(buttons("Try with demo data")).toHaveLength(1);
  });
});
