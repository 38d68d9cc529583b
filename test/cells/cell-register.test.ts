/** The cell register: what each cell asked for and how it ended, also when a formula holds several calls. */
import { fc } from "../helpers/properties";
import { InvError } from "../../src/domain/errors";
import { type CellRegister, type InvCell, createCellRegister } from "../../src/cells/cell-register";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

const item = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" } as const;
const history = { storeNumber: 1234, gtin: "00012345678905" };
const unmapped = new InvError("not-mapped", "GTIN not mapped to the supplier");
const outage = new InvError("service-down", "The service is not available.");

function setUp(): { clock: VirtualClock; register: ReturnType<typeof createCellRegister> } {
  const clock = createVirtualClock();
  return { clock, register: createCellRegister({ clock }) };
}

describe("the cell register", () => {
  it("follows a cell from waiting to its value", () => {
    const { register } = setUp();
    const call = register.begin("Plan!C2", "demo");
    call.requests(item);
    call.requests(history);
    expect(register.get("Plan!C2")).toMatchObject({ state: "waiting", queries: [item, history] });
    call.answered(1000);
    call.answered(500);
    call.answered(800);
    call.settled();
    expect(register.get("Plan!C2")).toMatchObject({
      address: "Plan!C2",
      environmentId: "demo",
      state: "value",
      error: null,
      oldestMs: 500,
      newestMs: 1000,
    });
  });

  it("distinguishes last known values from missing ones", () => {
    const { register } = setUp();
    const stale = register.begin("A1", "demo");
    stale.requests(item);
    stale.answered(1000, true);
    stale.settled();
    expect(register.get("A1")).toMatchObject({ state: "stale", error: null });
    const mixed = register.begin("A2", "demo");
    mixed.requests(item);
    mixed.answered(1000, true);
    mixed.failed(unmapped);
    mixed.failed(outage);
    mixed.settled();
    expect(register.get("A2")).toMatchObject({ state: "problem", error: unmapped });
    expect(register.summary()).toEqual({
      cells: 2,
      waiting: 0,
      isCalculating: false,
      none: 1,
      unanswered: 0,
      invalidArguments: 0,
      failed: 0,
      // The mixed one shows a "no", and still waits for the other.
      latestUnanswered: 2,
      oldestMs: 1000,
      newestMs: 1000,
      uncalculated: null,
    });
  });

  it("counts invalid arguments apart from unanswered requests", () => {
    const { register } = setUp();
    const wrong = new InvError("bad-argument", "store: expected digits.");
    const call = register.begin("A1", "demo");
    call.failed(wrong);
    call.settled();
    expect(register.summary()).toMatchObject({
      none: 0,
      unanswered: 0,
      invalidArguments: 1,
      latestUnanswered: 0,
    });
    const again = register.begin("A1", "demo");
    again.requests(item);
    again.answered(1000);
    expect(register.summary()).toMatchObject({ invalidArguments: 0, waiting: 1 });
  });

  it("counts what the service refused apart from what it didn't answer", () => {
    const { register } = setUp();
    const call = register.begin("A1", "demo");
    call.requests(item);
    call.failed(new InvError("refused-value", "The service refused the item."));
    call.settled();
    expect(register.summary()).toMatchObject({ failed: 1, unanswered: 0, latestUnanswered: 0 });
  });

  it("keeps several INV calls of one formula together until all have settled", () => {
    const { register } = setUp();
    const first = register.begin("A1", "demo");
    first.requests(item);
    const second = register.begin("A1", "demo");
    second.requests(history);
    second.settled();
    expect(register.get("A1")?.state).toBe("waiting");
    first.failed(unmapped);
    first.settled();
    expect(register.get("A1")).toMatchObject({ state: "problem", queries: [item, history] });
  });

  it.each(["before", "after"] as const)(
    "shows the result of an edited formula, if that arrives %s the earlier formula's result",
    async (order) => {
      const { clock, register } = setUp();
      const earlier = register.begin("A1", "demo");
      earlier.requests(history);
      await clock.advance(2_000);
      const edited = register.begin("A1", "demo");
      edited.requests(item);
      const endEarlier = (): void => {
        earlier.failed(unmapped);
        earlier.settled();
      };
      if (order === "after") endEarlier();
      expect(register.summary()).toMatchObject({ cells: 1, waiting: 1 });
      edited.answered(1000);
      edited.settled();
      if (order === "before") endEarlier();
      expect(register.get("A1")).toMatchObject({
        state: "value",
        queries: item,
        error: null,
        oldestMs: 1000,
      });
      expect(register.summary()).toMatchObject({ cells: 1, waiting: 0, none: 0 });
      expect(register.problemList.groups()).toEqual([]);
    },
  );

  it("keeps the queries of all calls that begin in a turn, also if the first is answered at once", async () => {
    const { clock, register } = setUp();
    const calculate = (query: typeof item | typeof history, atMs: number): void => {
      const call = register.begin("A1", "demo");
      call.requests(query);
      call.answered(atMs);
      call.settled(7);
    };
    calculate(item, 500);
    expect(register.get("A1")).toMatchObject({ returned: 7, recalculation: 1 });
    calculate(history, 900);
    expect(register.get("A1")).toMatchObject({
      ...{ state: "value", queries: [item, history], oldestMs: 500, recalculation: 1 },
      // Nobody knows what the formula makes of both.
      returned: undefined,
    });
    await clock.turns();
    calculate(item, 900);
    expect(register.get("A1")).toMatchObject({ queries: item, oldestMs: 900, recalculation: 2, returned: 7 });
  });

  it("forgets a cell's earlier queries when it is recalculated", async () => {
    const { clock, register } = setUp();
    const before = register.begin("A1", "demo");
    before.requests(item);
    before.answered(1);
    before.failed(unmapped);
    before.settled();
    await clock.turns();
    const now = register.begin("A1", "sandbox");
    expect(register.get("A1")).toMatchObject({
      state: "waiting",
      queries: null,
      error: null,
      oldestMs: null,
    });
    now.settled();
    expect(register.get("A1")).toMatchObject({ state: "value", environmentId: "sandbox" });
  });

  it("records nothing without an address", () => {
    const { register } = setUp();
    const call = register.begin(null, "demo");
    call.requests(item);
    call.failed(outage);
    call.settled();
    expect([...register.all()]).toEqual([]);
    expect(register.summary().cells).toBe(0);
  });

  it("forgets deleted formulas, but not waiting ones", () => {
    const { register } = setUp();
    const [first, second, waiting] = ["A1", "A2", "A3"].map((address) => register.begin(address, "demo"));
    for (const call of [first, second, waiting]) call?.requests(item);
    first?.settled();
    second?.settled();
    register.forget(["A1", "A3", "A4"]);
    expect(register.summary()).toMatchObject({ cells: 2, waiting: 1 });
    expect([...register.all()].map(({ address }) => address)).toEqual(["A2", "A3"]);
  });

  it("counts the missing values of a formula as one cell, until it is forgotten", () => {
    const { register: cells } = setUp();
    const spilling = cells.begin("Plan!C2", "demo");
    for (const row of [0, 1, 2]) spilling.failed(outage, { row, col: 0, store: "1234", item: "x" });
    spilling.settled();
    const other = cells.begin("Plan!E2", "demo");
    other.requests(item);
    other.failed(outage);
    other.settled();
    expect(cells.problemList.groups()).toMatchObject([
      { count: 2, cells: [{ address: "Plan!E2" }, { address: "Plan!C2", missing: 3 }] },
    ]);
    expect(cells.summary()).toMatchObject({ unanswered: 2 });
    cells.forget(["Plan!C2"]);
    expect(cells.problemList.groups()).toMatchObject([{ count: 1, cells: [{ address: "Plan!E2" }] }]);
    expect(cells.summary()).toMatchObject({ cells: 1, unanswered: 1 });
  });

  it("counts cells that need answers, from their first request to their end, and no others", async () => {
    const { clock, register } = setUp();
    const cells = (): number => register.summary().cells;
    const env = register.begin("A1", "demo");
    const age = register.begin("A2", "demo");
    const both = register.begin("A3", "demo");
    age.showsAge(item);
    both.showsAge(item);
    expect(cells()).toBe(0);
    both.requests(item);
    both.requests(item);
    expect(register.summary()).toMatchObject({ cells: 1, waiting: 1 });
    for (const call of [env, age, both]) call.settled();
    expect(register.summary()).toMatchObject({ cells: 1, waiting: 0, isCalculating: false });
    expect(register.get("A3")).toMatchObject({ isAgeCell: false });
    await clock.turns();
    const again = register.begin("A3", "demo");
    expect(cells()).toBe(0);
    register.begin("A2", "demo").requests(item);
    expect(cells()).toBe(1);
    again.settled();
    register.forget(["A3"]);
    again.requests(item);
    expect(cells()).toBe(1);
    expect(register.size()).toBe(2);
  });

  it("knows what isn't calculated from searches alone, and reports a search only if it found something else", async () => {
    const { clock, register } = setUp();
    let notices = 0;
    register.subscribe(() => (notices += 1));
    const told: unknown[] = [];
    const search = async (addresses: string[] | null) => {
      register.noteUncalculated(addresses?.map((address) => [address, []]) ?? null);
      await clock.advance(1_000);
      told.push([register.summary().uncalculated, notices]);
    };
    await search(["A1", "A2"]);
    await search(["A1", "A2"]);
    for (const address of ["A1", "A2"]) register.begin(address, "demo").settled();
    await clock.advance(1_000);
    // Rows may have moved since.
    expect(register.summary().uncalculated).toBeNull();
    notices = 1;
    await search([]);
    await search([]);
    expect(told).toEqual([
      [2, 1],
      [2, 1],
      [0, 2],
      [0, 2],
    ]);
  });

  it("counts an age cell nowhere, whatever it shows", () => {
    const { register } = setUp();
    const age = register.begin("A1", "demo");
    age.showsAge(item);
    age.answered(0, true);
    age.failed(outage);
    expect(register.summary()).toMatchObject({ cells: 0, waiting: 0, isCalculating: true });
    age.settled();
    expect(register.summary()).toEqual({
      ...{
        isCalculating: false,
        cells: 0,
        waiting: 0,
        none: 0,
        unanswered: 0,
        invalidArguments: 0,
        failed: 0,
        latestUnanswered: 0,
      },
      ...{ oldestMs: null, newestMs: null, uncalculated: null },
    });
    expect(register.problemList.groups()).toEqual([]);
    expect(register.olderThan(1, 10)).toEqual({ count: 0, cells: [] });
    expect(register.stale()).toEqual([]);
    register.begin("A1", "demo").settled();
    register.begin("A1", "demo");
    expect(register.summary()).toMatchObject({ waiting: 0, isCalculating: true, oldestMs: null });
  });

  it.each(["answered", "unanswered"] as const)(
    "lists what an age part of a formula lacks, once another part requests something and is %s",
    (end) => {
      const { register } = setUp();
      const [age, value] = [register.begin("A1", "demo"), register.begin("A1", "demo")];
      age.showsAge(item);
      age.failed(outage);
      value.requests(item);
      age.settled();
      if (end === "answered") value.answered(5);
      else value.failed(outage);
      value.settled();
      expect(register.summary()).toMatchObject({ cells: 1, unanswered: 1 });
      expect(register.problemList.groups()).toMatchObject([
        { count: 1, cells: [{ address: "A1", missing: 1, problems: [{ cell: "A1", error: outage }] }] },
      ]);
    },
  );

  it("keeps what each of 1,000 missing values of a formula lacks for the first 500, and counts all once", () => {
    const { register } = setUp();
    const [first, second] = [register.begin("A1", "demo"), register.begin("A1", "demo")];
    for (const call of [first, second]) {
      for (let row = 0; row < 1_000; row++) {
        call.failed(outage, { row, col: 0, store: "1", item: String(row) });
      }
    }
    first.settled();
    second.settled();
    register.respellAddresses((address) => `Plan!${address}`);
    const [cell] = register.problemList.groups()[0]?.cells ?? [];
    expect(cell).toMatchObject({ address: "Plan!A1", missing: 1_000, problems: { length: 500 } });
    expect(cell?.problems[499]).toMatchObject({ cell: "Plan!A500", item: "499" });
  });

  describe("when a sheet gets the name of an earlier sheet", () => {
    /** Of each cell, how it ended in its latest recalculation; `waiting` while it has not. */
    const ends = ["waiting", "value", "stale", "owed", "no"] as const;
    const end = fc.constantFrom<(typeof ends)[number]>(...ends);
    const cellsOf = fc.dictionary(fc.constantFrom("A1", "A2", "A3"), fc.tuple(end, fc.nat(50)));

    function put(register: CellRegister, address: string, [ending, atMs]: [string, number]): () => void {
      const call = register.begin(address, "demo");
      call.requests(item);
      const settle = (): void => {
        if (ending === "stale") call.answered(atMs, true);
        else if (ending === "owed") call.failed(outage);
        else if (ending === "no") call.failed(unmapped);
        else call.answered(atMs);
        call.settled();
      };
      if (ending !== "waiting") settle();
      return ending === "waiting" ? settle : () => undefined;
    }

    function expectRightSums(register: CellRegister): void {
      const all = [...register.all()];
      const settled = all.filter(({ state }) => state !== "waiting");
      const count = (isOne: (cell: InvCell) => boolean): number => all.filter(isOne).length;
      const times = (of: "oldestMs" | "newestMs"): number[] =>
        settled.flatMap((cell) => (cell[of] === null ? [] : [cell[of]]));
      expect(register.summary()).toEqual({
        cells: all.length,
        waiting: count(({ state }) => state === "waiting"),
        isCalculating: settled.length < all.length,
        none: count(({ state, error }) => state === "problem" && error === unmapped),
        unanswered: count(({ state, error }) => state === "problem" && error === outage),
        invalidArguments: 0,
        failed: 0,
        latestUnanswered: settled.filter((cell) => register.unansweredBecause(cell) !== null).length,
        oldestMs: times("oldestMs").sort((a, b) => a - b)[0] ?? null,
        newestMs: times("newestMs").sort((a, b) => b - a)[0] ?? null,
        uncalculated: null,
      });
      const inTrouble = all.filter(({ state, error }) => state === "problem" && error !== null).length;
      const counted = register.problemList.groups().reduce((sum, group) => sum + group.count, 0);
      expect(counted).toBe(inTrouble);
    }

    it("the renamed cells replace earlier ones, and every total counts the remaining cells", () => {
      fc.assert(
        fc.property(cellsOf, cellsOf, fc.boolean(), (first, second, andBack) => {
          const { register } = setUp();
          const open = [
            ...Object.entries(first).map(([cell, how]) => put(register, `Old!${cell}`, how)),
            ...Object.entries(second).map(([cell, how]) => put(register, `New!${cell}`, how)),
          ];
          register.respellAddresses((address) => address.replace("Old!", "New!"));
          expectRightSums(register);
          const times = Object.entries(first).map(([cell, [ending, atMs]]) => [
            register.get(`New!${cell}`)?.oldestMs ?? null,
            ending === "value" || ending === "stale" ? atMs : null,
          ]);
          for (const [shown, expected] of times) expect(shown).toBe(expected);
          if (andBack) register.respellAddresses((address) => address.replace("New!", "Old!"));
          for (const settle of open) settle();
          expectRightSums(register);
          for (const { address } of [...register.all()]) put(register, address, ["value", 7]);
          expectRightSums(register);
          register.forget([...register.all()].map(({ address }) => address));
          expectRightSums(register);
          expect(register.problemList.groups()).toEqual([]);
        }),
        { numRuns: 500 },
      );
    });
  });

  it("notifies listeners once for a burst of changes", async () => {
    const { clock, register } = setUp();
    let told = 0;
    const stop = register.subscribe(() => told++);
    for (let row = 1; row <= 10_000; row++) register.begin(`A${row}`, "demo").settled();
    expect(told).toBe(0);
    await clock.advance(100);
    expect(told).toBe(1);
    await clock.advance(1000);
    expect(told).toBe(1);
    register.begin("A1", "demo");
    await clock.advance(100);
    expect(told).toBe(2);
    stop();
    register.begin("A2", "demo");
    await clock.advance(100);
    expect(told).toBe(2);
  });

  it("finds cells older than a time, oldest first", () => {
    const times = fc.array(fc.option(fc.integer({ min: 0, max: 30 })), { maxLength: 60 });
    fc.assert(
      fc.property(times, fc.nat(31), fc.nat(70), (given, limitMs, most) => {
        const { register } = setUp();
        given.forEach((timeMs, index) => {
          const call = register.begin(`A${index + 1}`, "demo");
          if (timeMs !== null) call.answered(timeMs);
          else call.failed(unmapped);
          call.settled();
        });
        register.begin("B1", "demo").answered(0);
        const expected = given
          .filter((timeMs) => timeMs !== null && timeMs < limitMs)
          .sort((a, b) => a! - b!);
        const { count, cells } = register.olderThan(limitMs, most);
        expect(count).toBe(expected.length);
        expect(cells.map(({ oldestMs }) => oldestMs)).toEqual(expected.slice(0, most));
        expect(new Set(cells).size).toBe(cells.length);
      }),
    );
  });
});
