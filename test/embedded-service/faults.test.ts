/** Fault switches: how they are written and read, and what each does to a call. */
import { createFaults, formatFaultSpec, parseFaultSpec } from "../../src/embedded-service/faults";
import { createCaller, fixedGtin } from "../contract/caller";
import { expectGateway } from "../contract/shapes";

const search = {
  item_type: "gtin",
  store_nbr: 1234,
  item_type_values: [fixedGtin, fixedGtin, fixedGtin, fixedGtin],
};
const query = `store_nbr=1234&gtin=${fixedGtin}`;

describe("fault switches", () => {
  it("are off until set, and say so", () => {
    const faults = createFaults();
    expect(faults.current()).toEqual({ latencyMs: 0, shares: {} });
    expect(faults.describe()).toBeNull();
    expect(faults.draw(0)).toBeNull();
  });

  it("read a specification with or without signs and spaces", () => {
    expect(parseFaultSpec("429=5%, 500 = 2,hang=0.5%")).toEqual({ "429": 0.05, "500": 0.02, hang: 0.005 });
    expect(parseFaultSpec("")).toEqual({});
    expect(parseFaultSpec("none")).toEqual({});
    expect(parseFaultSpec("429=7%,500=93%")).toEqual({ "429": 0.07, "500": 0.93 });
  });

  it.each(["429", "429=", "429=x", "503=5%", "429=-1%", "429=60%,500=60%", "=5%", "hang:1"])(
    "refuse the specification %s in words",
    (spec) => expect(parseFaultSpec(spec)).toMatch(/^Expected fault/),
  );

  it("write the specification they read", () => {
    const spec = "429=5%,500=2%,hang=1%,reset=1%,short=3%,broken=0.25%";
    const faults = createFaults();
    faults.set({ fail: spec });
    expect(formatFaultSpec(faults.current().shares)).toBe(spec);
  });

  it("change what is given, keep the rest, and stay as they were when refused", () => {
    const faults = createFaults();
    expect(faults.set({ latencyMs: 250 })).toBeNull();
    expect(faults.set({ fail: "500=2%" })).toBeNull();
    expect(faults.set({ latencyMs: -1 })).toMatch(/^Expected a latency/);
    expect(faults.set({ latencyMs: 5, fail: "503=1%" })).toMatch(/^Expected faults/);
    expect(faults.current()).toEqual({ latencyMs: 250, shares: { "500": 0.02 } });
    expect(faults.describe()).toBe("2% of the calls fail (500), every answer waits 250 ms.");
    faults.set({ latencyMs: 0, fail: "" });
    expect(faults.describe()).toBeNull();
  });

  it("draw each fault as often as its share", () => {
    const faults = createFaults();
    faults.set({ fail: "429=10%,hang=20%,broken=30%" });
    const drawn = Array.from({ length: 1000 }, (_, call) => faults.draw((call + 0.5) / 1000));
    const count = (kind: string | null) => drawn.filter((one) => one === kind).length;
    expect([count("429"), count("hang"), count("broken"), count(null)]).toEqual([100, 200, 300, 400]);
  });
});

describe("a service whose fault switches are on", () => {
  it("refuses with 429 and Retry-After, at the token endpoint too", async () => {
    const caller = createCaller();
    const headers = await caller.headers();
    caller.faults.set({ fail: "429=100%" });
    const answer = await caller.search(search, headers);
    expectGateway(answer, 429, "search");
    expect(answer.headers.get("retry-after")).toBe("2");
    const token = await caller.send("/api-proxy/service/identity/oauth/v1/token", { method: "POST" });
    expect(token.status).toBe(429);
    expect(token.body.error).toBe("temporarily_unavailable");
  });

  it("leaves a call without an answer until the caller gives up", async () => {
    const caller = createCaller();
    caller.faults.set({ fail: "hang=100%" });
    const abort = new AbortController();
    const request = new Request("http://service.test/events", { signal: abort.signal });
    let isSettled = false;
    const answer = caller.service(request).finally(() => (isSettled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    await expect(caller.service(request)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("rejects as a lost connection does", async () => {
    const caller = createCaller();
    caller.faults.set({ fail: "reset=100%" });
    await expect(caller.events(query, {})).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("leaves out half of the items, and never of a history", async () => {
    const caller = createCaller();
    const headers = await caller.headers();
    const whole = await caller.events(query, headers);
    caller.faults.set({ fail: "short=100%" });
    const answer = await caller.search(search, headers);
    expect(answer.status).toBe(200);
    expect(answer.body.items).toHaveLength(2);
    const history = await caller.events(query, headers);
    expect(history.body.event_history_item_details).toEqual(whole.body.event_history_item_details);
    expect((await caller.search({}, headers)).status).toBe(400);
  });

  it("breaks the JSON off in the middle", async () => {
    const caller = createCaller();
    const headers = await caller.headers();
    caller.faults.set({ fail: "broken=100%" });
    const answer = await caller.search(search, headers);
    expect(answer.status).toBe(200);
    expect(answer.text.startsWith('{"supplier_name"')).toBe(true);
    expect(answer.body).toBeUndefined();
  });

  it("waits before every answer of the three operations, and only there", async () => {
    const caller = createCaller();
    caller.faults.set({ latencyMs: 250 });
    await caller.search(search);
    await caller.send("/openapi.json");
    await caller.send("/demo-data");
    expect(caller.slept).toEqual([250, 250]);
  });
});
