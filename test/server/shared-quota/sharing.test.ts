/**
 * INV's own pages share a quota: the real engines of several people behind one server, for some virtual minutes. Three of them
 * refresh far more than the quota allows.
 */
import { createEngine } from "../../../src/engine/engine";
import type { Engine } from "../../../src/engine/types";
import { createMemoryQuotaStore, type QuotaStore } from "../../../src/server/shared-quota/quota-store";
import { createCompanyRelay } from "../../helpers/company-relay";
import { createScriptedService } from "../../helpers/scripted-service";
import { createVirtualClock } from "../../helpers/virtual-clock";

const limit = 120;
const seconds = 150;

/** Three people refresh, two at first and one later. Another one's calls may all claim to be edits. */
async function run({ hasPretender }: { readonly hasPretender: boolean }) {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock, quota: limit });
  const relay = createCompanyRelay({ clock, service: service.transport, limit });
  const { environment, credentials } = service.connection;
  let rejected = 0;
  let store = 1_000;
  const callsOf = new Map<number, number>();

  function open(isPretending = false): Engine {
    const engine = createEngine({
      clock,
      async transport(request) {
        if (isPretending) request.headers.set("inv-edit", "1");
        const response = await relay(request);
        if (response.status === 429) rejected += 1;
        return response;
      },
    });
    engine.connect({ environment: { ...environment, kind: "production", pacedBy: "server" }, credentials });
    return engine;
  }

  /** Each cell is a call. */
  function refresh(page: number, isPretending = false): void {
    const engine = open(isPretending);
    for (let cell = 0; cell < 5 * limit; cell += 1) {
      const query = { storeNumber: store++, itemType: "gtin" as const, value: "00000000000017" };
      const count = () => callsOf.set(page, (callsOf.get(page) ?? 0) + 1);
      engine.requestItem(query, { epoch: 0, settle: count });
    }
  }

  const editsMs: number[] = [];
  async function edit(engine: Engine): Promise<void> {
    const askedAtMs = clock.now();
    await engine.item({ storeNumber: store++, itemType: "gtin", value: "00000000000024" });
    editsMs.push(clock.now() - askedAtMs);
  }

  const editors = Array.from({ length: 8 }, () => open());
  refresh(0);
  refresh(1);
  if (hasPretender) refresh(3, true);
  let edits = 0;
  for (let second = 0; second < seconds; second += 1) {
    if (second === 10) refresh(2);
    // Each edits every 30 seconds.
    const editor = second % 4 === 0 ? editors[(second / 4) % editors.length] : undefined;
    if (editor !== undefined) {
      edits += 1;
      void edit(editor);
    }
    await clock.advance(1_000);
  }
  const calls = service.of("search").length;
  return {
    editsMs,
    edits,
    rejected,
    refusals: service.refusals,
    calls,
    of: (page: number) => callsOf.get(page) ?? 0,
  };
}

it.each([
  ["three refreshes", false],
  ["three refreshes and a page that marks all its calls as edits", true],
])(
  "beside %s, edits are answered at once, and the quota is used and not exceeded",
  async (_, hasPretender) => {
    const { editsMs, edits, rejected, refusals, calls, of } = await run({ hasPretender });
    expect(editsMs).toHaveLength(edits);
    expect(Math.max(...editsMs)).toBeLessThan(2_000);
    expect(refusals).toBe(0);
    // Two and a half minutes are at most three windows. A page that pretends keeps room that nobody uses.
    expect(calls).toBeGreaterThan((hasPretender ? 1.6 : 2) * limit);
    expect(of(1)).toBeGreaterThan(0.6 * of(0));
    if (hasPretender) expect(of(3)).toBeLessThan(1.7 * of(0));
    // Each page that waits asks about every other second.
    expect(rejected).toBeLessThan(4 * seconds);
  },
);

it("a page that waits goes on each time that Redis is back, and says until when it waits", async () => {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const memory = createMemoryQuotaStore({ clock, limitOf: () => limit });
  let isAway = false;
  const quotaStore: QuotaStore = {
    ...memory,
    async step(account, events) {
      const decided = await memory.step(account, events);
      return isAway ? { kind: "failed", retryAfterMs: 3_000 + clock.random() * 3_000 } : decided;
    },
  };
  const transport = createCompanyRelay({ clock, service: service.transport, limit, quotaStore });
  const { environment, credentials } = service.connection;
  const engine = createEngine({ clock, transport });
  engine.connect({ environment: { ...environment, kind: "production", pacedBy: "server" }, credentials });
  const cells = Array.from({ length: 3 * limit }, (_, cell) => ({
    storeNumber: 1_000 + cell,
    itemType: "gtin" as const,
    value: "00000000000017",
  }));
  const all = Promise.all(cells.map((query) => engine.item(query)));
  const search = () => engine.progress().quota.search;
  for (let time = 0; time < 2; time += 1) {
    isAway = true;
    // By then the page asks again, whatever it was told before.
    await clock.advance(70_000);
    expect(search()).toMatchObject({ awaitsSharedStore: true });
    expect(search().resumesAtMs).toBeGreaterThan(clock.now());
    isAway = false;
    const before = service.of("search").length;
    await clock.advance(70_000);
    expect(service.of("search").length).toBeGreaterThan(before);
    expect(search()).not.toMatchObject({ awaitsSharedStore: true });
  }
  await clock.until(all);
  expect(engine.progress().busy).toBe(false);
});
