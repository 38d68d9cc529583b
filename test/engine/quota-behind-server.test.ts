/** The quota if a team's server paces everybody's calls: what the engine reports, and what it keeps of past calls. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createQuota } from "../../src/engine/scheduler/quota";
import { inventory } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { type Bed, createBed, item, noQuota, sheet } from "./bed";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function settledHeapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("behind a team's server, which paces", () => {
  async function withTeam(quota: number): Promise<Bed & { hours(): Promise<void> }> {
    const bed = createBed({ ...noQuota });
    const { environment, credentials } = bed.service.connection;
    bed.engine.connect({
      environment: { ...environment, pacedBy: "server", quota: { search: quota, events: quota } },
      credentials,
    });
    let used = 0;
    bed.service.script((call) => {
      if (call.operation !== "search") return undefined;
      const response = inventory(call);
      response.headers.set("inv-quota", `${used}/${quota}`);
      return response;
    });
    return {
      ...bed,
      /** Runs some hours of calls. At the end the company's quota is used up. */
      async hours() {
        for (let hour = 0; hour < 3; hour += 1) {
          await bed.clock.until(Promise.all(sheet(100, 1).map((query) => bed.engine.item(query))));
          bed.engine.clear();
          await bed.clock.advance(3_600_000);
        }
        used = quota;
        await bed.clock.until(bed.engine.item(item(1, 1)));
      },
    };
  }

  it("the price includes the wait for the company's quota, however many calls were sent before", async () => {
    const fresh = await withTeam(100);
    const used = await withTeam(100);
    await used.hours();
    expect(fresh.engine.price({ items: sheet(50, 2), histories: [] }).durationMs).toBeLessThan(5_000);
    const { durationMs } = used.engine.price({ items: sheet(50, 2), histories: [] });
    expect(durationMs).toBeGreaterThan(59_000);
    expect(durationMs).toBeLessThan(65_000);
  });

  it("keeps no memory of past calls", () => {
    let nowMs = 0;
    const clock = { ...createVirtualClock(), steadyNow: () => nowMs };
    const quota = createQuota(clock, { limit: 600, pacedBy: "server" });
    const before = settledHeapBytes();
    for (let call = 0; call < 200_000; call += 1) {
      nowMs += 100;
      quota.sent(false);
      quota.ended(false);
    }
    expect(settledHeapBytes() - before).toBeLessThan(400_000);
    expect(quota.use().used).toBe(601);
  });
});
