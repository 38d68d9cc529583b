/** The order of calls: edits first, then the sheet in view, and nothing waits forever. */
import { sheetOf } from "../../src/engine/queue";
import { offender, problem } from "../helpers/scripted-service";
import { askAll, item, sheet, ask, warmBed } from "./bed";

const heldBack = { "inv-refusal": "quota", "inv-wait-ms": "500" };

it("lets small stores take turns with a store that needs many calls", async () => {
  const bed = await warmBed({ quota: 60 });
  const startMs = bed.clock.now();
  const big = Array.from({ length: 12_000 }, (_, number) => item(1, number));
  const small = Array.from({ length: 10 }, (_, store) => item(100 + store, 1));
  const ended = askAll(bed, [...big, ...small]);
  await bed.clock.advance(10_000);
  const ofSmall = ended.slice(big.length);
  expect(ofSmall.map((end) => (end?.atMs ?? Infinity) - startMs < 5_000)).toEqual(small.map(() => true));
});

describe("a single edit", () => {
  it("leaves in the next turn of the event loop", async () => {
    const bed = await warmBed();
    const sentBefore = bed.service.calls.length;
    const [end] = [askAll(bed, [item(1, 1)])];
    expect(bed.service.calls).toHaveLength(sentBefore);
    const atMs = bed.clock.now();
    await bed.clock.turns();
    expect(bed.service.calls).toHaveLength(sentBefore + 1);
    await bed.clock.runAll();
    expect(end[0]?.atMs).toBe(atMs + 80);
  });

  it("is answered before 4,000 background calls", async () => {
    const bed = await warmBed();
    const background = askAll(bed, sheet(4_000, 2));
    await bed.clock.advance(1_000);
    const edit = askAll(bed, [item(5_000, 7)]);
    await bed.clock.advance(160);
    expect(edit[0]?.quantity).not.toBeUndefined();
    expect(background.filter((end) => end !== undefined).length).toBeLessThan(200);
  });

  it("includes everything that waits for its store", async () => {
    const bed = await warmBed();
    askAll(bed, sheet(1_000, 3));
    await bed.clock.advance(500);
    await ask(bed, [item(999, 50)]);
    expect(bed.service.of("search").filter((call) => call.store === 1_999)).toHaveLength(2);
    const itsCall = bed.service.of("search").find((call) => call.values.includes(item(0, 50).value));
    expect(itsCall?.values).toHaveLength(4);
  });

  it("moves to the front even if its item already waits in the background", async () => {
    const bed = await warmBed();
    askAll(bed, sheet(2_000, 1));
    await bed.clock.advance(500);
    const edit = askAll(bed, [item(1_900, 1)]);
    await bed.clock.advance(160);
    expect(edit[0]).toBeDefined();
  });

  it("uses the reserve when a refresh has used up the quota", async () => {
    const bed = await warmBed({ quota: 100 });
    askAll(bed, sheet(500, 1));
    await bed.clock.advance(20_000);
    expect(bed.engine.progress().quota.search).toMatchObject({ used: 90, limit: 100 });
    const edit = askAll(bed, [item(600, 1)]);
    await bed.clock.advance(80);
    expect(edit[0]).toBeDefined();
    expect(bed.service.refusals).toBe(0);
  });

  it.each([
    ["a 429 of the service", () => new Response("", { status: 429, headers: { "retry-after": "1" } })],
    ["a 429 of the team's server", () => new Response("", { status: 429, headers: heldBack })],
    ["a 400 that names its neighbour", () => problem(400, "Invalid", [offender(0, "")])],
  ])("stays first after %s", async (_, answer) => {
    const bed = await warmBed({ environment: { pacedBy: "server" } });
    askAll(bed, sheet(2_000, 1));
    await bed.clock.advance(1_000);
    let refused = 0;
    bed.service.script(({ store }) => (store === 6_000 && refused++ === 0 ? answer() : undefined));
    const edit = askAll(bed, [item(5_000, 1), item(5_000, 2)]);
    await bed.clock.advance(2_000);
    expect(edit[1]?.quantity).toEqual(expect.any(Number));
  });

  it("waits for the first free call of the quota if the reserve is used up", async () => {
    const bed = await warmBed({ quota: 100 });
    for (let store = 0; store < 100; store += 1) {
      askAll(bed, [item(store, 1)]);
      await bed.clock.advance(400);
    }
    // The hundredth call waits: the first one left a minute earlier, when the bed was warmed up.
    const secondSentAtMs = bed.service.of("search")[1]?.sentAtMs ?? 0;
    const edit = await ask(bed, [item(600, 1)]);
    expect((edit[0]?.atMs ?? Infinity) - secondSentAtMs).toBeLessThan(60_500);
    expect(bed.service.refusals).toBe(0);
  });
});

describe("the worksheet in view", () => {
  const onOther = () => "Other!A1";

  it("goes first, also when it comes into view later", async () => {
    const bed = await warmBed();
    askAll(bed, sheet(300, 1), onOther);
    const mine = askAll(
      bed,
      sheet(300, 2)
        .slice(300)
        .map((query) => ({ ...query, storeNumber: query.storeNumber + 400 })),
      (index) => `'My ''own'' sheet'!B${index}`,
    );
    bed.engine.preferSheet("My 'own' sheet");
    await bed.clock.advance(Math.ceil(300 / 6 / (3 / 4)) * 80 + 160);
    expect(mine.every((end) => end !== undefined)).toBe(true);
  });

  it("stays first after a 429", async () => {
    const bed = await warmBed();
    bed.engine.preferSheet("Mine");
    askAll(bed, sheet(1_500, 1), onOther);
    const mine = askAll(bed, sheet(1_600, 1).slice(1_500), () => "Mine!A1");
    let refused = 0;
    bed.service.script(({ store }) =>
      store >= 2_500 && refused++ === 0 ? new Response("", { status: 429 }) : undefined,
    );
    await bed.clock.advance(5_000);
    expect(refused).toBeGreaterThan(1);
    expect(mine.every((end) => end !== undefined)).toBe(true);
  });

  it("does not block a full group of another worksheet while small ones keep arriving", async () => {
    const bed = await warmBed();
    bed.engine.preferSheet("Mine");
    let full: ReturnType<typeof askAll> = [];
    for (let round = 0; round < 30; round += 1) {
      const fresh = sheet(40, round + 200).slice(-40);
      askAll(bed, fresh.slice(0, 20), () => "Mine!A1");
      askAll(bed, fresh.slice(20), onOther);
      if (round === 1) {
        full = askAll(
          bed,
          sheet(1, 150).map((query) => ({ ...query, storeNumber: 5_000 })),
          onOther,
        );
      }
      await bed.clock.advance(80);
    }
    expect(full.slice(0, 100).every((end) => end !== undefined)).toBe(true);
  });

  it("does not block the other worksheets", async () => {
    const bed = await warmBed();
    bed.engine.preferSheet("Mine");
    const others = askAll(bed, sheet(40, 1), onOther);
    let number = 100;
    for (let round = 0; round < 60; round += 1) {
      askAll(
        bed,
        sheet(20, 1).map(({ storeNumber, itemType }) => ({
          storeNumber: storeNumber + 500,
          itemType,
          value: String(number++).padStart(14, "0"),
        })),
        () => "Mine!A1",
      );
      await bed.clock.advance(80);
    }
    expect(others.every((end) => end !== undefined)).toBe(true);
  });
});

it.each([
  ["Sheet1!A1", "Sheet1"],
  ["'My sheet'!B2", "My sheet"],
  ["'Tom''s plan!'!C3", "Tom's plan!"],
  ["A1", null],
  [undefined, null],
])("finds the worksheet of the address %s: %s", (cell, sheet) => {
  expect(sheetOf(cell)).toBe(sheet);
});

describe("cells of one item", () => {
  it("end in the order in which they asked, at most 2,000 in a turn", async () => {
    const bed = await warmBed();
    const told: { readonly asked: number; readonly turn: number }[] = [];
    for (let asked = 0; asked < 5_000; asked += 1) {
      const settle = (): void => void told.push({ asked, turn: bed.clock.turn });
      expect(bed.engine.requestItem(item(1, 1), { epoch: 0, settle })).toBeNull();
    }
    await bed.clock.runAll();
    expect(told.map(({ asked }) => asked)).toEqual(Array.from({ length: 5_000 }, (_, asked) => asked));
    const inTurn = new Map<number, number>();
    for (const { turn } of told) inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1);
    expect([...inTurn.values()]).toEqual([2_000, 2_000, 1_000]);
    expect(bed.service.of("search").filter(({ values }) => values.includes(item(1, 1).value))).toHaveLength(
      1,
    );
  });

  it("have a known answer at once, although others wait for a later turn", async () => {
    const bed = await warmBed();
    const known: unknown[] = [];
    for (let asked = 0; asked < 5_000; asked += 1) {
      const settle = (): void => {
        if (asked === 1_999) known.push(bed.engine.requestItem(item(1, 1), { epoch: 0, settle: fail }));
      };
      bed.engine.requestItem(item(1, 1), { epoch: 0, settle });
    }
    await bed.clock.runAll();
    expect(known).toEqual([expect.objectContaining({ found: true })]);
    expect(bed.engine.progress().cells).toMatchObject({ waiting: 0, inFlight: 0 });
  });

  it("settle before a cell of another item whose outcome comes later, though its turn has room", async () => {
    const bed = await warmBed();
    bed.service.script(({ store }) => (store === 1_002 ? "hang" : undefined));
    const told: (number | "cancelled")[] = [];
    bed.engine.requestItem(item(2, 1), { epoch: 0, settle: () => void told.push("cancelled") });
    for (let asked = 0; asked < 5_000; asked += 1) {
      const settle = (): void => {
        told.push(asked);
        if (asked === 2_000) bed.engine.cancel();
      };
      bed.engine.requestItem(item(1, 1), { epoch: 0, settle });
    }
    await bed.clock.advance(1_000);
    expect(told).toEqual([...Array.from({ length: 5_000 }, (_, asked) => asked), "cancelled"]);
  });
});

function fail(): never {
  throw new Error("Settled although the answer was known.");
}
