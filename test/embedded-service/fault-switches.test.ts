/** Fault switches: their specification, and their effect on a request. */
import { createFaults, parseFaultSpec } from "../../src/embedded-service/fault-switches";
import { createCaller, fixedGtin } from "../contract/caller";
import { expectGateway } from "../contract/shapes";

const search = {
  item_type: "gtin",
  store_nbr: 1234,
  item_type_values: [fixedGtin, fixedGtin, fixedGtin, fixedGtin],
};

describe("fault switches", () => {
  it("are off by default", () => {
    const faults = createFaults();
    expect(faults.current()).toEqual({ latencyMs: 0, fail: "" });
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
    (spec) => expect(parseFaultSpec(spec)).toMatch(/^must be /),
  );

  it("change only the given settings, and nothing if one isn't valid", () => {
    const faults = createFaults();
    expect(faults.set({ latencyMs: 250 })).toBeNull();
    expect(faults.set({ fail: "500=2%" })).toBeNull();
    expect(faults.set({ latencyMs: -1 })).toMatch(/^The latency must be 0 to/);
    expect(faults.set({ latencyMs: 5, fail: "503=1%" })).toMatch(/^The faults must be shares/);
    expect(faults.current()).toEqual({ latencyMs: 250, fail: "500=2%" });
    expect(faults.describe()).toBe("2% of the requests fail (500), every response waits 250 ms.");
    faults.set({ latencyMs: 0, fail: "" });
    expect(faults.describe()).toBeNull();
  });

  it("draw each fault as often as its share", () => {
    const faults = createFaults();
    faults.set({ fail: "429=10%,500=20%,hang=30%" });
    const drawn = Array.from({ length: 1000 }, (_, call) => faults.draw((call + 0.5) / 1000));
    const count = (kind: string | null) => drawn.filter((one) => one === kind).length;
    expect([count("429"), count("500"), count("hang"), count(null)]).toEqual([100, 200, 300, 400]);
  });
});

describe("a service with fault switches", () => {
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

  it("waits before responses of the three operations only", async () => {
    const caller = createCaller();
    caller.faults.set({ latencyMs: 250 });
    await caller.search(search);
    await caller.send("/openapi.json");
    await caller.send("/demo-data");
    expect(caller.slept).toEqual([250, 250]);
  });
});
