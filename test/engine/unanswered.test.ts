/** Why queries have no answer: one list for cells and refreshes, by environment. */
import { InvError } from "../../src/domain/errors";
import { createUnanswered } from "../../src/engine/unanswered";
import { createEngine } from "../../src/engine/engine";
import { createScriptedService } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";

const item = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" } as const;
const sales = { storeNumber: 1234, gtin: item.value, eventType: "SALES" };
const outage = new InvError("service-down", "The service is down.");

test("a reason is one query's, of one environment, until that is answered", () => {
  const { queries, note, forget } = createUnanswered(() => "demo");
  note(item, outage, "demo");
  note(item, new InvError("quota", "Used up."), "sandbox");
  expect(queries.because(item)).toBe(outage);
  expect(queries.because(item, "sandbox")).toMatchObject({ code: "quota" });
  expect(queries.because({ ...item, itemType: "wm_item_number" })).toBeNull();
  expect(queries.because(sales)).toBeNull();
  const before = queries.version;
  note(item, outage, "demo");
  expect(queries.version).toBe(before);
  forget(item, "demo");
  expect([queries.because(item), queries.size]).toEqual([null, 1]);
  expect(queries.version).toBeGreaterThan(before);
});

test("an answer for a whole history answers its event types, and no other days", () => {
  const { queries, note, forget } = createUnanswered(() => "demo");
  const dated = { ...sales, startDate: "2026-11-18" };
  for (const query of [sales, dated]) note(query, outage, "demo");
  expect(queries.historiesOf({ storeNumber: 1234, gtin: item.value })).toEqual([sales, dated]);
  forget({ storeNumber: 1234, gtin: item.value }, "demo");
  expect(queries.historiesOf({ storeNumber: 1234, gtin: item.value })).toEqual([dated]);
});

test("a refused request is an answer: the same one would fail again", () => {
  const { queries, note } = createUnanswered(() => "demo");
  note(item, outage, "demo");
  note(item, new InvError("refused-request", "The store isn't valid."), "demo");
  expect(queries.because(item)).toBeNull();
});

test("the reason is that of the latest request, whoever asked, also after a cancel and without a connection", async () => {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const reason = () => engine.unanswered.because(item)?.code ?? null;
  const down = () => new Response("", { status: 503 });
  await clock.until(engine.item(item));
  expect(reason()).toBeNull();
  await clock.advance(20 * 60_000);
  void engine.refresh({ items: [item], histories: [] }).catch(() => undefined);
  engine.cancel();
  expect(reason()).toBe("cancelled");
  service.script(({ operation }) => (operation === "search" ? down() : undefined));
  await clock.until(engine.item(item));
  expect(reason()).toBe("service-down");
  engine.connect({ ...service.connection, credentials: null });
  expect(reason()).toBe("service-down");
  await engine.refresh({ items: [item], histories: [] }).catch(() => undefined);
  expect(reason()).toBe("not-connected");
  service.script(() => undefined);
  engine.connect(service.connection);
  await clock.until(engine.item(item));
  expect(reason()).toBeNull();
});

test("a location that can't be read doesn't replace a last known number", async () => {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const first = await clock.until(engine.item(item));
  const location = (quantity: unknown, location_area: unknown = "STORE") => ({
    location_area,
    state: "AVAILABLE",
    quantity,
  });
  const answers = (...inventory_locations: object[]) =>
    service.script(({ operation }) =>
      operation === "search"
        ? Response.json({
            store_nbr: item.storeNumber,
            items: [{ gtin: item.value, data_retrieval_status: "SUCCESS", inventory_locations }],
          })
        : undefined,
    );
  const askLater = async () => {
    await clock.advance(20 * 60_000);
    return clock.until(engine.item(item));
  };
  for (const odd of [[location({})], [location(7, {}), location(3, "BACKROOM")]]) {
    answers(...odd);
    expect(await askLater()).toMatchObject({
      found: true,
      fetchedAtMs: first.fetchedAtMs,
      staleBecause: { code: "bad-answer" },
    });
    expect(engine.unanswered.because(item)).toMatchObject({ code: "bad-answer" });
  }
  // An odd location beside the known numbers costs nothing.
  const known = first.found ? first.value.locations : [];
  expect(known.length).toBeGreaterThan(0);
  answers(
    ...known.map(({ locationArea, state }) => ({ location_area: locationArea, state, quantity: 42 })),
    location({}, "SHED"),
  );
  const last = await askLater();
  expect(last.staleBecause).toBeUndefined();
  expect(last.found && last.value.locations.map(({ quantity }) => quantity)).toContain(42);
});
