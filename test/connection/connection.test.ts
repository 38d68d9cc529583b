/** Choosing, testing, using and forgetting a connection, over a fake engine and workbook. */
import { InvError } from "../../src/domain/errors";
import { environmentSetting } from "../../src/workbook/settings";
import { anEnvironment } from "./environments";
import { refused, setUp, trimmed, typed, untested } from "./quick-bed";

const session = { session: "session-of-jane", person: "Jane Doe", endsAtMs: 4_000_000_000_000 };

describe("the start of a connection", () => {
  it("uses the workbook's environment with the credentials this device remembers", async () => {
    const { connection, connects } = setUp({ storedSecrets: { production: trimmed } });
    await connection.begin("production");
    expect(connects).toEqual([
      { environment: anEnvironment("production", "production"), credentials: trimmed },
    ]);
    expect(connection.get()).toMatchObject({ ready: true, consumerId: "my-id", remembered: ["production"] });
  });

  it("is over, with the choice to the person, where it fails in the middle", async () => {
    const consentFails = new Error("The workbook did not open.");
    const { connection, connects } = setUp({ storedSecrets: { production: trimmed }, consentFails });
    await connection.begin("production");
    expect(connects).toEqual([]);
    expect(connection.get()).toMatchObject({ ready: true, environment: null, consumerId: null });
    expect(connection.get().notice).toMatch(/Choose the environment/);
  });

  it("asks for credentials where this device has none: connected to nothing but the environment", async () => {
    const { connection, connects } = setUp();
    await connection.begin("production");
    expect(connects.at(-1)?.credentials).toBeNull();
    expect(connection.get()).toMatchObject({ consumerId: null, held: [] });
  });

  it("sends nothing for a workbook that the person has not allowed, and connects on a yes", async () => {
    const { connection, connects, marked, settings } = setUp({
      storedSecrets: { production: trimmed },
      mustAsk: true,
    });
    await connection.begin("production");
    expect(connects.at(-1)).toMatchObject({ credentials: null, awaitsConsent: true });
    expect(connection.get()).toMatchObject({
      awaitsConsent: true,
      consumerId: null,
      remembered: ["production"],
    });
    await connection.reload();
    expect(connects.at(-1)?.credentials).toBeNull();
    await connection.connect({ environmentId: "production" }, untested);
    expect(connects.at(-1)?.credentials).toEqual(trimmed);
    expect(connection.get()).toMatchObject({ awaitsConsent: false, consumerId: "my-id" });
    expect(marked).toEqual(["production"]);
    expect(settings.get("allowed")).toBe("production");
  });

  it("sends nothing for such a workbook with a session either, and takes it up on a yes", async () => {
    const { connection, connects } = setUp({ storedSecrets: { production: session }, mustAsk: true });
    await connection.begin("production");
    expect(connects.at(-1)).toMatchObject({ credentials: null, awaitsConsent: true });
    expect(connection.get()).toMatchObject({ awaitsConsent: true, person: null, remembered: ["production"] });
    await connection.connect({ environmentId: "production" }, untested);
    expect(connects.at(-1)?.credentials).toEqual(session);
    expect(connection.get()).toMatchObject({ awaitsConsent: false, person: "Jane Doe" });
  });

  it.each<[string, (connection: ReturnType<typeof setUp>["connection"]) => Promise<void>]>([
    ["choosing the demo", (connection) => connection.connect({ environmentId: "demo" }, untested)],
    ["forgetting the credentials", (connection) => connection.forget("production")],
  ])("has no question any more after %s", async (_what, act) => {
    const { connection } = setUp({ storedSecrets: { production: trimmed }, mustAsk: true });
    await connection.begin("production");
    await act(connection);
    expect(connection.get()).toMatchObject({ awaitsConsent: false });
  });

  it("tells stored credentials apart that no environment of the list opens, and forgets them on request", async () => {
    const { connection, stored } = setUp({ storedSecrets: { gone: trimmed, production: trimmed } });
    await connection.begin(null);
    expect(connection.get()).toMatchObject({ remembered: ["production"], orphaned: ["gone"] });
    await connection.forget("gone");
    expect(connection.get()).toMatchObject({ remembered: ["production"], orphaned: [] });
    expect([...stored.keys()]).toEqual(["production"]);
  });

  it("calls nothing orphaned while the list cannot be read", async () => {
    const { connection, state } = setUp({ storedSecrets: { production: trimmed } });
    state.list = new InvError("unreachable", "gone");
    await connection.begin(null);
    expect(connection.get()).toMatchObject({ remembered: ["production"], orphaned: [] });
  });

  it("takes the demo's first account without asking", async () => {
    const { connection } = setUp({ beginWithDemo: true });
    await connection.begin(null);
    expect(connection.get()).toMatchObject({
      environment: { id: "demo" },
      account: "demo",
      consumerId: "demo-id",
    });
  });

  it("names a stored environment that is not here, and connects to nothing", async () => {
    const { connection, connects } = setUp();
    await connection.begin("sandbox");
    expect(connects).toEqual([]);
    expect(connection.get()).toMatchObject({ missingId: "sandbox", environment: null });
  });

  it("says why there is no list, and connects once it can be read again", async () => {
    const { connection, state, connects, marked } = setUp({
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

describe("testing a choice", () => {
  it("tries it with spaces trimmed, and changes nothing in use", async () => {
    const { connection, connects, tested, marked } = setUp();
    await connection.begin(null);
    await connection.test({ environmentId: "production", credentials: typed });
    expect(tested.at(-1)?.credentials).toEqual(trimmed);
    expect(connects).toEqual([]);
    expect(marked).toEqual([]);
  });

  it("rejects with what is wrong", async () => {
    const { connection } = setUp({ testFails: refused });
    await connection.begin(null);
    await expect(connection.test({ environmentId: "demo" })).rejects.toBe(refused);
  });

  it.each([
    ["an environment that is not set up", { environmentId: "sandbox" }],
    ["missing credentials", { environmentId: "production" }],
    [
      "blank credentials",
      { environmentId: "production", credentials: { consumerId: " ", clientSecret: "" } },
    ],
  ])("refuses %s without a call", async (_, choice) => {
    const { connection, tested } = setUp();
    await connection.begin(null);
    await expect(connection.test(choice)).rejects.toMatchObject({ code: "not-connected" });
    expect(tested).toEqual([]);
  });
});

describe("using a choice", () => {
  it("starts clean, stores the environment's id in the workbook and marks all cells", async () => {
    const { connection, connects, settings, marked } = setUp();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed }, untested);
    expect(connects).toEqual([expect.objectContaining({ credentials: trimmed })]);
    expect(settings.get(environmentSetting)).toBe("production");
    expect(settings.get("last")).toBe("production");
    expect(marked).toEqual(["production"]);
  });

  it("writes no secret anywhere when remembering was not asked for", async () => {
    const { connection, settings, stored } = setUp();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed, remember: false }, untested);
    expect(stored.size).toBe(0);
    expect(JSON.stringify([...settings])).not.toContain("my-secret");
    expect(JSON.stringify(connection.get())).not.toContain("my-secret");
    expect(connection.get()).toMatchObject({ held: ["production"], remembered: [] });
  });

  it("remembers when asked, and drops an older copy when credentials are typed without remembering", async () => {
    const { connection, stored } = setUp();
    await connection.begin(null);
    await connection.connect({ environmentId: "production", credentials: typed, remember: true }, untested);
    expect(stored.get("production")).toEqual(trimmed);
    await connection.connect(
      { environmentId: "production", credentials: { ...typed, clientSecret: "new" } },
      untested,
    );
    expect(stored.has("production")).toBe(false);
  });

  it("leaves nothing of a session on the device that is for this workbook alone, an older one neither", async () => {
    const { connection, connects, stored } = setUp({
      storedSecrets: { production: { ...session, session: "older" } },
    });
    await connection.begin(null);
    await connection.connect(
      { environmentId: "production", credentials: session, remember: false },
      untested,
    );
    expect(connects.at(-1)?.credentials).toEqual(session);
    expect(stored.size).toBe(0);
    expect(connection.get()).toMatchObject({ held: ["production"], remembered: [], person: "Jane Doe" });
  });

  it("changes the demo's account and marks the cells again, though the environment is the same", async () => {
    const { connection, marked } = setUp({ beginWithDemo: true });
    await connection.begin(null);
    await connection.connect({ environmentId: "demo", account: "rival" }, untested);
    expect(connection.get()).toMatchObject({ account: "rival", consumerId: "rival-id" });
    expect(marked).toEqual(["demo"]);
  });

  it("touches no cell when nothing has changed and nothing was stopped", async () => {
    const { connection, connects, marked, triedAgain } = setUp({ beginWithDemo: true });
    await connection.begin(null);
    await connection.connect({ environmentId: "demo", account: "demo" }, untested);
    expect(connects).toHaveLength(1);
    expect(marked).toEqual([]);
    expect(triedAgain()).toBe(1);
  });

  it("marks the cells when the same choice had been stopped by a fault", async () => {
    const { connection, marked, faults } = setUp({ beginWithDemo: true });
    await connection.begin(null);
    faults.push({ scope: "credentials", error: refused });
    await connection.connect({ environmentId: "demo", account: "demo" }, untested);
    expect(marked).toEqual(["demo"]);
  });
});

describe("forgetting credentials", () => {
  it("drops them from the session and the device, and marks no cell: numbers stay", async () => {
    const { connection, stored, connects, marked } = setUp({ storedSecrets: { production: trimmed } });
    await connection.begin("production");
    await connection.forget("production");
    expect(stored.size).toBe(0);
    expect(connects.at(-1)?.credentials).toBeNull();
    expect(connection.get()).toMatchObject({ held: [], remembered: [], consumerId: null });
    expect(marked).toEqual([]);
    await expect(connection.test({ environmentId: "production" })).rejects.toMatchObject({
      code: "not-connected",
    });
  });
});
