/** The allowed content of `environments.json`, and how unusable entries are treated. */
import { loadEnvironments, readEnvironments } from "../../src/connection/environments-file";

const base = "https://inv.example/app/taskpane.html";
const sandbox = {
  id: "sandbox",
  label: "Sandbox",
  kind: "sandbox",
  tokenUrl: "/relay/sandbox/token",
  searchUrl: "/relay/sandbox/search-items",
  eventsUrl: "/relay/sandbox/events",
  quota: { search: 600, events: 300 },
  credentials: "user",
};
const accounts = [{ name: "demo", supplierName: "Demo Foods", consumerId: "c", clientSecret: "s" }];
const read = (...environments: unknown[]) => readEnvironments({ environments }, base);

describe("environments.json", () => {
  it("resolves the environments' addresses against the file's own", () => {
    expect(read(sandbox)).toEqual([
      {
        ...sandbox,
        tokenUrl: "https://inv.example/relay/sandbox/token",
        searchUrl: "https://inv.example/relay/sandbox/search-items",
        eventsUrl: "https://inv.example/relay/sandbox/events",
      },
    ]);
  });

  it("keeps the accounts of the demo, and drops them anywhere else, where they would be secrets", () => {
    const [demo, other] = read({ ...sandbox, id: "demo", kind: "demo", accounts }, { ...sandbox, accounts });
    expect(demo).toHaveProperty("accounts", accounts);
    expect(other).not.toHaveProperty("accounts");
  });

  it("lists an environment that isn't set up, with what to ask for", () => {
    const off = {
      id: "p",
      label: "Production",
      kind: "production",
      configured: false,
      missing: "Ask for it.",
    };
    expect(read(off)).toEqual([off]);
  });

  it.each([
    ["a quota of 0", { quota: { search: 0, events: 600 } }, "quota.search"],
    ["no token address", { tokenUrl: "" }, "tokenUrl"],
    ["an address that is not http", { eventsUrl: "javascript:alert(1)" }, "addresses"],
    ["credentials held by a server, and no sign-in", { credentials: "server" }, "sign-in"],
  ])(
    "lists an environment with %s as unusable, with the reason, and keeps the others",
    (_, change, reason) => {
      const [broken, whole] = read({ ...sandbox, id: "broken", ...change }, sandbox);
      expect(broken).toMatchObject({ id: "broken", configured: false });
      expect(broken).toHaveProperty("missing", expect.stringContaining(reason));
      expect(whole).toHaveProperty("id", "sandbox");
      expect(whole).not.toHaveProperty("configured");
    },
  );

  it.each([
    ["no list", {}],
    ["an empty list", { environments: [] }],
    ["not JSON", undefined],
    ["an entry without a kind", { environments: [{ id: "a", label: "A" }] }],
    ["one id twice", { environments: [sandbox, sandbox] }],
  ])("refuses %s with a reason", (_, content) => {
    let refusal: unknown = null;
    try {
      readEnvironments(content, base);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: "bad-answer" });
    expect(String(refusal)).toContain("administrator");
  });

  it("is reported as unreachable if its headers arrive at once, and its end doesn't in time", async () => {
    const late = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"environments":'));
        late.signal.addEventListener("abort", () => stream.error(late.signal.reason));
      },
    });
    const loading = loadEnvironments(
      () => Promise.resolve(new Response(body)),
      new Request("https://inv.example/environments.json"),
    );
    setImmediate(() => late.abort());
    await expect(loading).rejects.toMatchObject({ code: "unreachable" });
  });

  it("is reported as unreachable or missing if it can't be fetched", async () => {
    const request = new Request("https://inv.example/environments.json");
    await expect(loadEnvironments(() => Promise.reject(new TypeError("x")), request)).rejects.toMatchObject({
      code: "unreachable",
    });
    const missing = new Response("<html>", { status: 404 });
    await expect(loadEnvironments(() => Promise.resolve(missing), request)).rejects.toMatchObject({
      code: "wrong-address",
    });
    const page = new Response("<html>");
    await expect(loadEnvironments(() => Promise.resolve(page), request)).rejects.toMatchObject({
      code: "bad-answer",
    });
  });
});
