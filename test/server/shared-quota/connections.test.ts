/** A slow service: which callers wait for a connection, which don't, and that calls still use the whole quota. */
import type { Account } from "../../../src/server/shared-quota/call";
import { account, createPage, openQuota } from "../../helpers/company-pages";
import { createVirtualClock } from "../../helpers/virtual-clock";

function createBed(latencyMs: number) {
  const clock = createVirtualClock();
  const quota = openQuota(clock, 600);
  /** Milliseconds until the call leaves. */
  const waitMs = async (
    person: string,
    { isEdit = false, of = account }: { isEdit?: boolean; of?: Account } = {},
  ) => {
    const startedAtMs = clock.now();
    const signal = new AbortController().signal;
    const entry = await clock.until(quota.wait({ account: of, asker: { person, isEdit }, signal }));
    if (entry.kind === "send") entry.end({ kind: "answered" });
    return entry.kind === "send" ? clock.now() - startedAtMs : Infinity;
  };
  const page = (person: string, connections: number) =>
    createPage({ clock, quota, latencyMs: () => latencyMs }, { person, connections, obeys: "none" });
  return { clock, waitMs, page };
}

it("400 calls of one person delay no edit and no other environment, and another person's call only until the next answer", async () => {
  const bed = createBed(1_000);
  const busy = bed.page("busy", 400);
  await bed.clock.advance(500);
  expect(await bed.waitMs("typist", { isEdit: true })).toBe(0);
  expect(await bed.waitMs("busy", { of: { ...account, environment: "sandbox" } })).toBe(0);
  expect(await bed.waitMs("busy", { of: { ...account, operation: "events" } })).toBe(0);
  expect(await bed.waitMs("other")).toBe(500);
  busy.stop();
});

it("two consumers of one environment take turns at its connections", async () => {
  const bed = createBed(2_000);
  const busy = bed.page("busy", 60);
  await bed.clock.advance(100);
  expect(await bed.waitMs("a", { of: { ...account, consumerId: "bolt" } })).toBe(1_900);
  busy.stop();
});

it("a service that takes four seconds gets the whole quota in every minute", async () => {
  const bed = createBed(4_000);
  const pages = Array.from({ length: 10 }, (_, person) => bed.page(`person-${person}`, 6));
  await bed.clock.advance(4 * 64_050);
  const left = pages.flatMap(({ leftAtMs }) => leftAtMs);
  // A call counts until a minute after its answer. The last few calls are reserved for edits.
  expect(left.length).toBeGreaterThanOrEqual(4 * 580);
  for (const page of pages) page.stop();
});
