/** Connecting: what the pane tests, shows and uses, the latest choice, and results that arrive too late. */
import { IDBFactory } from "fake-indexeddb";
import { InvError } from "../../../src/domain/errors";
import { buttons, root, shown } from "../page";
import { gateway } from "../../helpers/scripted-service";
import { notSetUp } from "../../connection/environments";
import { openPane, type PaneBed } from "../pane-bed";

const known = '=INV.QTY(1234,"00012345678905")';
const demo = { "inv.environment": "demo" };

/** The form of Production is open, and its service refuses the secret `wrong`. */
async function atProduction(formulas: string[] = [], indexedDB?: IDBFactory): Promise<PaneBed> {
  const pane = await openPane({ settings: demo, formulas, indexedDB });
  pane.service.production.script(({ operation, body }) =>
    operation === "token" && body.includes("client_secret=wrong") ? gateway(401, "no") : undefined,
  );
  await pane.openTab("Settings");
  await pane.sees("Environment");
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
  await typeCredentials(pane, "wrong");
  await pane.press("Connect to Production");
  await pane.sees(/Error: .*refused/);
  expect(pane.service.production.of("token")[0]?.body).toContain("client_id=consumer&client_secret=wrong");
  // Refused credentials would be refused in cells too.
  expect(buttons("Use it anyway")).toEqual([]);
  expect(shown()).toContain("made-up, not real stock");
  expect(await pane.workbook.setting("inv.environment")).toBe("demo");
  expect(pane.values()).toEqual(before);
});

it("credentials typed during an attempt to connect end it", async () => {
  const pane = await atProduction();
  await typeCredentials(pane, "secret");
  await pane.press("Connect to Production");
  expect(shown()).toContain("Connecting…");
  expect(buttons("Connect to Production")).toEqual([]);
  await typeCredentials(pane, "wrong");
  expect(shown()).not.toContain("Connecting…");
  await pane.clock.advance(5_000);
  expect(shown()).not.toContain("Connected to Production");
  expect(await pane.workbook.setting("inv.environment")).toBe("demo");
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

it("choosing another environment cancels the attempt, however late it is answered", async () => {
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

describe("a pane without a connection", () => {
  it("shows only the connection form, also if the list of environments comes late, and never begins by itself", async () => {
    let release = (): void => undefined;
    const pane = await openPane({ until: new Promise((resolve) => (release = resolve)) });
    await pane.sees("Reading the list of environments…");
    release();
    await pane.sees("Try with demo data");
    expect(root.querySelectorAll("[role=tab]")).toHaveLength(4);
    expect(shown()).not.toContain("Templates");
    expect(pane.service.demo.calls).toEqual([]);
    await pane.press("Connect to Demo");
    await pane.sees("Whole workbook");
  });

  it("can be used, and leads back to the form", async () => {
    const pane = await openPane();
    await pane.press("Continue without a connection");
    for (const tab of ["Templates", "Cell", "Settings", "Refresh"]) await pane.openTab(tab);
    await pane.press("Connect to an environment");
    await pane.sees("Where the numbers come from");
  });

  it.each([
    ["sandbox", "npm run --silent serve -- --example > inv.json"],
    ["embedded-sandbox", "this one is sample data"],
  ])("sends nothing for a workbook that names %s, and says what to do", async (named, advice) => {
    const pane = await openPane({ settings: { "inv.environment": named }, formulas: [known] });
    await pane.sees(`This workbook uses the environment “${named}”, which isn't set up here`);
    expect(shown()).toContain(advice);
    expect(buttons("Try with demo data")).toEqual([]);
    expect([...pane.service.demo.calls, ...pane.service.production.calls]).toEqual([]);
  });
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

/** The database of a device that can stop to work. */
class FailingFactory extends IDBFactory {
  fails = false;

  override open(name: string, version?: number) {
    if (this.fails) throw new DOMException("The disk is full.", "UnknownError");
    return super.open(name, version);
  }
}

it("says that credentials are forgotten only if the device has forgotten them", async () => {
  const indexedDB = new FailingFactory();
  const pane = await atProduction([], indexedDB);
  await typeCredentials(pane, "secret");
  await pane.press("Connect to Production");
  await pane.sees("Connected to Production.");
  indexedDB.fails = true;
  await pane.press("Forget");
  await pane.sees("The browser didn't delete the stored credentials.");
  expect(shown()).not.toContain("has forgotten");
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
