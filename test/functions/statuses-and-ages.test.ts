/** INV.STATUS with `stale` and INV.ASOF on the real engine: what they show beside QTY, and that a cancel ends them too. */
import { asOf, qty, status } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { createBed, noQuota } from "../engine/bed";
import { gateway, record } from "../helpers/scripted-service";
import { contextOn, shownBy, withHost } from "./fakes";

withHost();

const gtinOf = (number: number): string => String(number).padStart(14, "0");

function createAgeBed() {
  const bed = createBed({ ...noQuota, settings: { freshnessMs: 60_000 } });
  startFunctions({ ...contextOn(bed.clock), engine: bed.engine });
  const at = (address: string) => ({ functionName: "INV", address });
  const items = (numbers: readonly number[]) => numbers.map((number) => [gtinOf(number)]);
  return {
    ...bed,
    quantity: (address: string, ...numbers: number[]) =>
      shownBy(qty([[1_000]], items(numbers), undefined, undefined, undefined, at(address))),
    status: (address: string, ...numbers: number[]) =>
      shownBy(status([[1_000]], items(numbers), undefined, [[true]], at(address))),
    asOf: (address: string, number: number) =>
      shownBy(asOf([[1_000]], items([number]), undefined, at(address))),
    searches: () => bed.service.of("search").length,
  };
}

// More cells than settle in one turn, so that a cancel leaves some for later turns.
const rows = Array.from({ length: 2_100 }, (_, index) => index + 1);

test("statuses with an age send nothing after a cancel", async () => {
  const bed = createAgeBed();
  const shown = rows.flatMap((row) => [bed.quantity(`Plan!C${row}`, row), bed.status(`Plan!D${row}`, row)]);
  bed.engine.cancel();
  await bed.clock.runAll();
  expect(bed.searches()).toBe(0);
  for (const text of await Promise.all(shown)) expect(text).toMatch(/^#VALUE!/);
});

test("as-of times send nothing after a cancel, and match the values that stay", async () => {
  const bed = createAgeBed();
  const calculate = () =>
    rows.map((row) => [bed.quantity(`Plan!C${row}`, row), bed.asOf(`Plan!D${row}`, row)]);
  const before = await bed.clock.until(Promise.all(calculate().flat()));
  await bed.clock.advance(61_000);
  const sent = bed.searches();
  const after = calculate().flat();
  bed.engine.cancel();
  await bed.clock.runAll();
  expect(bed.searches()).toBe(sent);
  expect(await Promise.all(after)).toEqual(before);
});

test("an item with two different quantities is answered, so its status has no age; its cell has the reason", async () => {
  const bed = createAgeBed();
  bed.service.script((call) => {
    if (call.operation !== "search") return undefined;
    const other = { location_area: "STORE", state: "AVAILABLE", quantity: "7777" };
    const items = call.values.map((value) => {
      const { inventory_locations: locations, ...rest } = record(call, value);
      const all = value === gtinOf(2) ? [...(locations as object[]), other] : locations;
      return { ...rest, inventory_locations: all };
    });
    return Response.json({ store_nbr: call.store, items });
  });
  await bed.clock.until(bed.quantity("Plan!C1", 1, 2, 3));
  expect(await bed.clock.until(bed.status("Plan!D1", 1, 2, 3))).toEqual([
    ["SUCCESS"],
    ["SUCCESS"],
    ["SUCCESS"],
  ]);
});

test("two statuses of an item don't report each other once it is answered", async () => {
  const bed = createAgeBed();
  const statuses = () => bed.clock.until(Promise.all([bed.status("Plan!D1", 1), bed.status("Plan!D2", 1)]));
  bed.service.script(({ operation }) =>
    operation === "search" ? gateway(403, "not subscribed") : undefined,
  );
  await bed.clock.until(bed.quantity("Plan!C1", 1));
  await statuses();
  bed.service.script(() => undefined);
  bed.engine.tryAgain();
  await bed.clock.until(bed.quantity("Plan!C1", 1));
  expect(await statuses()).toEqual(["SUCCESS", "SUCCESS"]);
});
