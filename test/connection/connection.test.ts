/** Choosing, testing, using and forgetting a connection, over a fake engine and workbook. */
import { InvError } from "../../src/domain/errors";
import { environmentSetting } from "../../src/workbook/settings";
import { anEnvironment } from "./environments";
import { createBed, refused } from "./bed";

const typed = { consumerId: " my-id ", clientSecret: "\tmy-secret\n" };
const trimmed = { consumerId: "my-id", clientSecret: "my-secret" };
const untested = { tested: false };
const session = { session: "session-of-jane", person: "Jane Doe", endsAtMs: 4_000_000_000_000 };

describe("the start of a connection", () => {
  it("uses the workbook's environment with the credentials this device remembers", async () => {
    const { connection, connects } = createBed({ storedSecrets: { production: trimmed } });
    await connection.begin("production");
    expect(connects).toEqual([
      { environment: anEnvironment("production", "production"), credentials: trimmed },
    ]);
    expect(connection.get()).toMatchObject({ ready: true, consumerId: "my-id", remembered: ["production"] });
  });

  it("ends if it fails in the middle, and lets the person choose", async () => {
    const consentFails = new Error("The workbook did not open.");
    const { connection, connects } = createBed({ storedSecrets: { production: trimmed }, consentFails });
    await connection.begin("production");
    expect(connects).toEqual([]);
    expect(connection.get()).toMatchObject({ ready: true, environment: null, consumerId: null });
    expect(connection.get().notice).toMatch(/Choose an environment/);
  });

  it("asks for credentials if this device has none", async () => {
    const { connection, connects } = createBed();
    await connection.begin("production");
    expect(connects.at(-1)?.credentials).toBeNull();
    expect(connection.get()).toMatchObject({ consumerId: null, inMemory: [] });
  });

  it.each([
    ["a secret", trimmed, { consumerId: "my-id", person: null }],
    ["a session", session, { person: "Jane Doe" }],
  ])(
    "with %s sends nothing for a workbook that the person has not allowed, and connects on a yes",
    async (_what, remembered, inUse) => {
      const { connection, connects, marked, allowed } = createBed({
        storedSecrets: { production: remembered },
        mustAsk: true,
      });
      await connection.begin("production");
      expect(connects.at(-1)).toMatchObject({ credentials: null, awaitsConsent: true });
      const unasked = { awaitsConsent: true, consumerId: null, person: null, remembered: ["production"] };
      expect(connection.get()).toMatchObject(unasked);
      await connection.reload();
      expect(connects.at(-1)?.credentials).toBeNull();
      await connection.connect({ environmentId: "production" }, untested);
      expect(connects.at(-1)?.credentials).toEqual(remembered);
      expect(connection.get()).toMatchObject({ awaitsConsent: false, ...inUse });
      expect([marked, allowed]).toEqual([["production"], ["production"]]);
    },
  );

  it.each<[string, (connection: ReturnType<typeof createBed>["connection"]) => Promise<void>]>([
    ["choosing the demo", (connection) => connection.connect({ environmentId: "demo" }, untested)],
    ["forgetting the credentials", (connection) => connection.forget("production")],
  ])("has no question any more after %s", async (_what, act) => {
    const { connection } = createBed({ storedSecrets: { production: trimmed }, mustAsk: true });
    await connection.begin("production");
    await act(connection);
    expect(connection.get()).toMatchObject({ awaitsConsent: false });
  });

  it("lists stored credentials that no environment can decrypt, and forgets them on request", async () => {
    const { connection, stored } = createBed({ storedSecrets: { gone: trimmed, production: trimmed } });
    await connection.begin(null);
    expect(connection.get()).toMatchObject({ remembered: ["production"], orphaned: ["gone"] });
    await connection.forget("gone");
    expect(connection.get()).toMatchObject({ remembered: ["production"], orphaned: [] });
    expect([...stored.keys()]).toEqual(["production"]);
  });

  it("reports nothing as orphaned while the list can't be read", async () => {
    const { connection, state } = createBed({ storedSecrets: { production: trimmed } });
    state.list = new InvError("unreachable", "gone");
    await connection.begin(null);
    expect(connection.get()).toMatchObject({ remembered: ["production"], orphaned: [] });
  });

  it("uses the demo's first account without asking", async () => {
    const { connection } = createBed({ beginWithDemo: true });
    await connection.begin(null);
    expect(connection.get()).toMatchObject({
      environment: { id: "demo" },
      account: "demo",
      consumerId: "demo-id",
    });
  });

  it("reports a stored environment that is missing from the list, and doesn't connect", async () => {
    const { connection, connects } = createBed();
    await connection.begin("planned");
    expect(connects).toEqual([]);
    expect(connection.get()).toMatchObject({ missingId: "planned", environment: null });
  });

  it("reports why the list can't be read, and connects when it can", async () => {
    const { connection, state, connects, marked } = createBed({
      storedSecrets: { production: trimmed },
      last: "production",
    });
    const { list } = state;
    state.list = new InvError("unreachable", "Not reachable.");
    await connection.begin(null);
    expect(connection.get()).toMatchObject({ ready: true, listError: { code: "unreachable" } });
    state.list = list;
    await connection.reload();
    expect(connection.get().listError).toBeNull();
    expect(connects.at(-1)?.credentials).toEqual(trimmed);
    expect(marked).toEqual(["production"]);
  });
});

it("keeps the person's choice when the list is read again", async () => {
  const { connection, connects } = createBed({ storedSecrets: { production: trimmed }, last: "production" });
  await connection.begin(null);
  await connection.connect({ environmentId: "sandbox", credentials: typed }, untested);
  await connection.reload();
  expect(connects.map(({ environment }) => environment.id)).toEqual(["production", "sandbox"]);
});

describe("testing a choice", () => {
  const isTested = { tested: true };

  it("trims spaces", async () => {
    const { connection, tested } = createBed();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed }, isTested);
    expect(tested.at(-1)?.credentials).toEqual(trimmed);
  });

  it("rejects with the reason, and leaves the current connection unchanged", async () => {
    const { connection, connects, marked } = createBed();
    await connection.begin(null);
    const choice = { environmentId: "production", credentials: { ...typed, clientSecret: "wrong" } };
    await expect(connection.connect(choice, isTested)).rejects.toBe(refused);
    expect(connects).toEqual([]);
    expect(marked).toEqual([]);
  });

  it.each([
    ["an environment that is not set up", { environmentId: "planned" }],
    ["missing credentials", { environmentId: "production" }],
    [
      "blank credentials",
      { environmentId: "production", credentials: { consumerId: " ", clientSecret: "" } },
    ],
  ])("refuses %s without a call", async (_, choice) => {
    const { connection, tested } = createBed();
    await connection.begin(null);
    await expect(connection.connect(choice, isTested)).rejects.toMatchObject({ code: "not-connected" });
    expect(tested).toEqual([]);
  });
});

describe("using a choice", () => {
  it("clears the cache, stores the environment's id in the workbook and marks all cells", async () => {
    const { connection, connects, settings, device, marked } = createBed();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed }, untested);
    expect(connects).toEqual([expect.objectContaining({ credentials: trimmed })]);
    expect(settings.get(environmentSetting)).toBe("production");
    expect(device.last).toBe("production");
    expect(marked).toEqual(["production"]);
  });

  it("stores no secret unless the person wants it remembered", async () => {
    const { connection, settings, stored } = createBed();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed, remember: false }, untested);
    expect(stored.size).toBe(0);
    expect(JSON.stringify([...settings])).not.toContain("my-secret");
    expect(JSON.stringify(connection.get())).not.toContain("my-secret");
    expect(connection.get()).toMatchObject({ inMemory: ["production"], remembered: [] });
  });

  it("remembers credentials if asked, and otherwise deletes an older copy", async () => {
    const { connection, stored } = createBed();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed, remember: true }, untested);
    expect(stored.get("production")).toEqual(trimmed);
    await connection.connect(
      { environmentId: "production", credentials: { ...typed, clientSecret: "new" } },
      untested,
    );
    expect(stored.has("production")).toBe(false);
  });

  it("marks the cells again after a change of the demo's account", async () => {
    const { connection, marked } = createBed({ beginWithDemo: true });
    await connection.begin(null);
    await connection.connect({ environmentId: "demo", account: "rival" }, untested);
    expect(connection.get()).toMatchObject({ account: "rival", consumerId: "rival-id" });
    expect(marked).toEqual(["demo"]);
  });

  it("marks no cell if nothing has changed and nothing was stopped", async () => {
    const { connection, connects, marked, state } = createBed({ beginWithDemo: true });
    await connection.begin(null);
    await connection.connect({ environmentId: "demo", account: "demo" }, untested);
    expect(connects).toHaveLength(1);
    expect(marked).toEqual([]);
    expect(state.triedAgain).toBe(1);
  });

  it("marks the cells if a fault had stopped the same choice", async () => {
    const { connection, marked, faults } = createBed({ beginWithDemo: true });
    await connection.begin(null);
    faults.push({ scope: "credentials", error: refused });
    await connection.connect({ environmentId: "demo", account: "demo" }, untested);
    expect(marked).toEqual(["demo"]);
  });
});

describe("forgetting credentials", () => {
  it("deletes them from the session and the device, and every cell keeps its number", async () => {
    const { connection, stored, connects, marked } = createBed({ storedSecrets: { production: trimmed } });
    await connection.begin("production");
    await connection.forget("production");
    expect(stored.size).toBe(0);
    expect(connects.at(-1)?.credentials).toBeNull();
    expect(connection.get()).toMatchObject({ inMemory: [], remembered: [], consumerId: null });
    expect(marked).toEqual([]);
    await expect(connection.connect({ environmentId: "production" }, untested)).rejects.toMatchObject({
      code: "not-connected",
    });
  });
});
