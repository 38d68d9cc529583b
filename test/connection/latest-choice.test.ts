/**
 * A person's latest choice wins, whatever returns late: the vault, the workbook, a connection test and the list of
 * environments may each take any time and end in any order.
 */
import { fc } from "../helpers/properties";
import type { SupplierCredentials } from "../../src/domain/environment";
import { environmentSetting } from "../../src/workbook/settings";
import { createBed, type Delay, type Id, ids, turns } from "./bed";

const secretOf = (clientSecret: string): SupplierCredentials => ({ consumerId: "my-id", clientSecret });

describe("a cancelled attempt", () => {
  type Bed = ReturnType<typeof createBed>;
  it.each([
    ["by its signal", (_: Bed, control: AbortController) => control.abort()],
    ["by forgetting its credentials", ({ connection }: Bed) => void connection.forget("production")],
    [
      "by another choice",
      ({ connection }: Bed) => void connection.connect({ environmentId: "demo" }, { tested: false }),
    ],
  ])("%s has no effect, and its test sends nothing more", async (_, cancel) => {
    let end = (): void => undefined;
    const delay: Delay = async (what, value) => {
      if (what === "test production") await new Promise<void>((resolve) => (end = resolve));
      return value();
    };
    const bed = createBed({ delay });
    await bed.connection.begin(null);
    const control = new AbortController();
    const attempt = bed.connection.connect(
      { environmentId: "production", credentials: secretOf("good") },
      { tested: true, signal: control.signal },
    );
    attempt.catch(() => undefined);
    await turns();
    cancel(bed, control);
    await expect(attempt).rejects.toMatchObject({ code: "cancelled" });
    expect(bed.openTesters.size).toBe(0);
    end();
    await turns();
    expect(bed.connects.map(({ environment }) => environment.id)).not.toContain("production");
    expect(bed.settings.get(environmentSetting)).not.toBe("production");
    expect(bed.connection.get().inMemory).not.toContain("production");
  });
});

interface Deed {
  readonly kind: "connect" | "forget" | "reload" | "turn away";
  readonly id: Id;
  readonly secret: "none" | "good" | "wrong";
  readonly remember: boolean;
  readonly tested: boolean;
}

const deed = fc.record<Deed>({
  kind: fc.constantFrom("connect", "connect", "connect", "forget", "reload", "turn away"),
  id: fc.constantFrom(...ids),
  secret: fc.constantFrom("none", "good", "good", "wrong"),
  remember: fc.boolean(),
  tested: fc.boolean(),
});

/** What the person types in deed `index`. Each deed types something different. */
function typedBy(deeds: readonly Deed[], index: number): SupplierCredentials | undefined {
  const { id, secret } = deeds[index]!;
  return secret === "none" || id === "demo" ? undefined : secretOf(`${secret} ${index}`);
}

/** Runs the deeds one after the other, at moments that the scheduler chooses, and waits until all have ended. */
async function play(scheduler: fc.Scheduler, deeds: readonly Deed[], opened: Id | null) {
  const remembered = secretOf("remembered");
  const bed = createBed({
    delay: (what, value) => scheduler.schedule(Promise.resolve(), what).then(value),
    storedSecrets: { sandbox: remembered, production: remembered },
  });
  /** Expected content of the vault at the end: every choice and deletion in the order in which they took effect. */
  const vault = new Map(bed.stored);
  const seen = new Set<string>();
  const ends: Promise<unknown>[] = [];
  let turnAway = new AbortController();
  let done = 0;
  await scheduler.waitFor(bed.connection.begin(opened));

  bed.onConnect = (next) => {
    const secret =
      next.credentials && "clientSecret" in next.credentials ? next.credentials.clientSecret : "";
    const index = deeds.findIndex((_, at) => typedBy(deeds, at)?.clientSecret === secret);
    if (index < 0 || seen.has(secret)) return;
    seen.add(secret);
    // Nobody has chosen anything else since.
    expect(deeds.slice(index + 1, done).filter(({ kind }) => kind === "connect")).toEqual([]);
    if (deeds[index]!.remember) vault.set(next.environment.id, secretOf(secret));
    else vault.delete(next.environment.id);
  };

  function act(index: number): void {
    const { kind, id, remember, tested } = deeds[index]!;
    done = index + 1;
    const credentials = typedBy(deeds, index);
    const choice = { environmentId: id, ...(credentials && { credentials, remember }) };
    if (kind === "turn away") turnAway.abort();
    if (kind === "forget") vault.delete(id);
    if (kind === "forget") ends.push(bed.connection.forget(id));
    if (kind === "reload") ends.push(bed.connection.reload());
    if (kind !== "connect") return;
    turnAway = new AbortController();
    const { signal } = turnAway;
    ends.push(bed.connection.connect(choice, { tested, signal }).catch(() => undefined));
  }

  const { task } = scheduler.scheduleSequence(
    deeds.map(({ kind, id }, index) => ({ label: `${kind} ${id}`, builder: async () => act(index) })),
  );
  await scheduler.waitIdle();
  await task;
  await Promise.all(ends);
  return { ...bed, vault };
}

/** Index of the last deed of these kinds; if `id` is set, only deeds for this environment count. */
function lastOf(deeds: readonly Deed[], kinds: readonly Deed["kind"][], id?: Id): number {
  return deeds.findLastIndex((next) => kinds.includes(next.kind) && (id === undefined || next.id === id));
}

describe("in any order of actions and their results", () => {
  it("the last choice is in use, in the workbook, on the device and in the vault", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(deed, { minLength: 2, maxLength: 7 }),
        fc.constantFrom(null, "sandbox", "production"),
        async (scheduler, deeds, opened) => {
          const bed = await play(scheduler, deeds, opened);
          const { connection, connects, stored, settings, marked, device, vault, openTesters } = bed;
          const state = connection.get();
          const inUse = connects.at(-1) ?? null;
          expect(state.environment).toBe(inUse?.environment ?? null);
          expect(openTesters.size).toBe(0);

          const chosen = lastOf(deeds, ["connect"]);
          const since = deeds.slice(chosen + 1);
          const isGivenUp = since.some(
            ({ kind, id }) => kind === "turn away" || (kind === "forget" && id === deeds[chosen]?.id),
          );
          if (chosen >= 0 && !isGivenUp) {
            const { id, secret, tested } = deeds[chosen]!;
            const typed = typedBy(deeds, chosen);
            if (id === "demo" || (typed && (secret === "good" || !tested))) {
              expect(inUse?.environment.id).toBe(id);
              if (typed) expect(inUse?.credentials).toEqual(typed);
            }
          }
          // Without a person's choice, a connection is stored neither in the workbook nor on the device.
          if (device.last !== null) {
            expect(device.last).toBe(inUse?.environment.id);
            expect(settings.get(environmentSetting)).toBe(inUse?.environment.id);
            if (marked.length > 0) expect(marked.at(-1)).toBe(device.last);
          }
          expect(new Map(stored)).toEqual(vault);
          expect([...state.remembered].sort()).toEqual([...stored.keys()].sort());
          for (const id of ids) {
            const isForgotten =
              lastOf(deeds, ["forget"], id) > lastOf(deeds, ["connect"], id) && id !== "demo";
            if (!isForgotten) continue;
            expect(state.inMemory).not.toContain(id);
            if (inUse?.environment.id === id) expect(inUse.credentials).toBeNull();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
