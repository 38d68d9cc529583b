/**
 * Fair shares for a company whose people use two servers, in virtual minutes. Both servers queue over one state,
 * packed as in Redis, and learn of turns a moment later.
 */
import { createFinishedCalls, newAccountState } from "../../../src/server/shared-quota/account-state";
import { pack, unpack } from "../../../src/server/shared-quota/in-redis/packed";
import { createCompanyQuota } from "../../../src/server/shared-quota/quota";
import type { QuotaStore } from "../../../src/server/shared-quota/quota-store";
import { step } from "../../../src/server/shared-quota/step";
import { account, createPage, minuteMs, type PagePlan, sharesBeside } from "../../helpers/company-pages";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

const limit = 120;
const latencyMs = 800;
const tripMs = 2;
const minutes = 3;

/** Creates each server's access to the state that all servers share. */
function sharedStores(clock: VirtualClock): (server: string) => QuotaStore {
  const ended = createFinishedCalls();
  let packed = pack(newAccountState(limit, ended));
  const turns = new Map<string, () => void>();
  const trip = () => new Promise<void>((resolve) => clock.setTimeout(resolve, tripMs));
  const bare = (server: string, id: string) => id.slice(server.length + 1);
  return (server) => ({
    async step(_account, events) {
      await trip();
      const state = unpack(packed, limit, ended);
      const named = events.map((each) => ({ ...each, id: `${server}.${each.id}` }));
      const [nowMs, chance] = [clock.now(), clock.random()];
      const decided = step(state, { server, events: named, nowMs, chance });
      packed = pack(state);
      const { turnOfServer } = decided;
      if (turnOfServer !== null) clock.setTimeout(() => turns.get(turnOfServer)?.(), tripMs);
      await trip();
      return {
        ...decided,
        send: decided.send.map((id) => bare(server, id)),
        rejected: decided.rejected.map((back) => ({ ...back, id: bare(server, back.id) })),
      };
    },
    usage: () => Promise.resolve(null),
    onTurn: (listener) => void turns.set(server, () => listener(account)),
  });
}

const honest: Omit<PagePlan, "person"> = { connections: 6, obeys: "each" };

it.each<[string, Omit<PagePlan, "person">]>([
  ["has 20 calls at once", { connections: 20, obeys: "each" }],
  ["ignores retry times and marks all calls as edits", { connections: 20, obeys: "none", isEdit: true }],
])(
  "beside one at the same server that %s, people at both get their share",
  async (_, greedy) => {
    const clock = createVirtualClock();
    const storeOf = sharedStores(clock);
    const [one, other] = ["a", "b"].map((name) =>
      createCompanyQuota({ clock, onWait: () => () => undefined, store: storeOf(name) }),
    ) as [ReturnType<typeof createCompanyQuota>, ReturnType<typeof createCompanyQuota>];
    const at = (quota: typeof one, plan: PagePlan) =>
      createPage({ clock, quota, latencyMs: () => latencyMs }, plan);
    const pages = [
      at(one, { ...greedy, person: "greedy" }),
      at(one, { ...honest, person: "here" }),
      at(other, { ...honest, person: "there" }),
      at(other, { ...honest, person: "there too" }),
    ];
    const openQuiet = () => at(other, { ...honest, person: "quiet", calls: 0 });
    const { calls, waitsMs, quiet } = await sharesBeside(clock, pages, { openQuiet, minutes });
    const all = calls.reduce((sum, each) => sum + each, 0);
    expect(Math.min(...calls.slice(1)) / (all / calls.length)).toBeGreaterThanOrEqual(0.85);
    // The calls neither waste the quota nor exceed it.
    expect(all / ((limit * 0.9 * minutes * minuteMs) / (minuteMs + latencyMs))).toBeGreaterThanOrEqual(0.85);
    const left = [...pages, quiet].flatMap(({ leftAtMs }) => leftAtMs).sort((a, b) => a - b);
    left.forEach((atMs, index) =>
      expect(atMs - (left[index - limit] ?? -Infinity)).toBeGreaterThan(minuteMs),
    );
    expect(waitsMs).toHaveLength(2 * minutes);
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(minuteMs + 50 + latencyMs + 1_000);
  },
  60_000,
);
