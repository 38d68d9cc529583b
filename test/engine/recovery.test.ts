/** Calls delayed by a fault continue when it is over, and no refresh resolves without proof. */
import { useLightMessages } from "../helpers/light-messages";
import { gateway } from "../helpers/scripted-service";
import type { ItemRecord } from "../../src/domain/records";
import type { Connection, Engine, Waiter } from "../../src/engine/types";
import { type Bed, codeOfError, createBed, item, noQuota, sheet, ask, warmBed, outcomes } from "./bed";
import { type FaultName, faults, maxAnswerBytes } from "./chaos-faults";

useLightMessages();

const cells = sheet(3, 40);
const work = { items: cells, histories: [] };

/** A bed whose cells all have fresh values. */
async function filled(): Promise<Bed> {
  const bed = await warmBed({ ...noQuota, maxAnswerBytes });
  await ask(bed, cells);
  return bed;
}

function breakWith(bed: Bed, name: FaultName): void {
  bed.service.script((call) => (call.operation === "search" ? faults[name].answer(call) : undefined));
}

const allFresh = ({ engine }: Bed): boolean => cells.every((query) => engine.isFresh(query));

it("sends no call for cells that ask again while a fault settles them", async () => {
  const bed = createBed(noQuota);
  bed.service.script((call) => (call.operation === "search" ? gateway(403, "not subscribed") : undefined));
  let left = 5;
  const waiter = (number: number): Waiter<ItemRecord> => ({
    epoch: 0,
    settle() {
      left -= 1;
      if (left > 0) bed.engine.requestItem(item(0, number + 1), waiter(number + 1));
    },
  });
  bed.engine.requestItem(item(0, 1), waiter(1));
  await bed.clock.runAll();
  expect([left, bed.service.of("search").length]).toEqual([0, 1]);
});

describe("an operation stopped by a wrong address", () => {
  const lifts: [string, (engine: Engine, connection: Connection) => Promise<void> | void][] = [
    ["trying again", (engine) => engine.tryAgain()],
    ["other credentials", (engine, connection) => engine.connect(connection)],
  ];

  it.each(lifts)("continues after %s, for cells and refreshes", async (_, lift) => {
    const bed = createBed(noQuota);
    breakWith(bed, "wrong address");
    expect(await outcomes(bed, sheet(1_000, 1))).toEqual({ "wrong-address": 1_000 });
    expect(bed.service.of("search").length).toBeLessThanOrEqual(6);
    expect(bed.engine.progress().faults).toMatchObject([
      { scope: "search", error: { code: "wrong-address" } },
    ]);
    const sent = bed.service.calls.length;
    await expect(bed.clock.until(bed.engine.refresh(work))).rejects.toMatchObject({ code: "wrong-address" });
    expect(bed.service.calls).toHaveLength(sent);

    bed.service.script(() => undefined);
    await bed.clock.until(Promise.resolve(lift(bed.engine, bed.service.connection)));
    expect(bed.engine.progress().faults).toEqual([]);
    expect(await outcomes(bed, cells)).toEqual({ value: 120 });
    await bed.clock.until(bed.engine.refresh(work));
    await bed.clock.runAll();
    expect(allFresh(bed)).toBe(true);
  });
});

const provesNothing: FaultName[] = [
  "500",
  "hang",
  "reset",
  "broken off 200",
  "broken off 400",
  "broken off 404",
  "expired token",
  "not subscribed",
  "wrong address",
  "web page",
  "broken JSON",
  "other shape",
  "too large",
  "other store",
];

describe("a refresh that gets no answer", () => {
  it.each(provesNothing)("rejects and changes nothing, and the next one resolves: %s", async (name) => {
    const bed = await filled();
    bed.service.version = 1;
    breakWith(bed, name);
    const code = await bed.clock.until(bed.engine.refresh(work).then(() => "resolved", codeOfError));
    expect(code).toBe(faults[name].code);
    expect(allFresh(bed)).toBe(true);
    bed.service.script(() => undefined);
    bed.engine.tryAgain();
    await bed.clock.advance(120_000);
    await bed.clock.until(bed.engine.refresh(work));
    await bed.clock.runAll();
    expect(allFresh(bed)).toBe(true);
    expect(await outcomes(bed, cells)).toEqual({ value: 120 });
  });

  it("rejects when its answer leaves all items out", async () => {
    const bed = await filled();
    bed.service.script(({ operation, store }) =>
      operation === "search" ? Response.json({ store_nbr: store, items: [] }) : undefined,
    );
    await expect(bed.clock.until(bed.engine.refresh(work))).rejects.toMatchObject({ code: "missing-answer" });
    expect(allFresh(bed)).toBe(true);
  });
});
