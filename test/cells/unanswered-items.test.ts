/** Which items cells show without an answer to their latest request, as cells settle, are asked again and go. */
import { InvError } from "../../src/domain/errors";
import { createCellRegister } from "../../src/cells/cell-register";
import { createVirtualClock } from "../helpers/virtual-clock";

const outage = new InvError("service-down", "The service is not available.");
const item = (value: string) => ({ storeNumber: 1234, itemType: "gtin" as const, value });
const history = { storeNumber: 1234, gtin: "a" };

function register() {
  const cells = createCellRegister({ clock: createVirtualClock() });
  /** A grid of three items, of which these are not answered. */
  function calculate(address: string, unanswered: readonly string[], fetchedAtMs = 500): void {
    const report = cells.begin(address, "demo");
    for (const value of ["a", "b", "c"]) {
      report.requests(item(value));
      const isUnanswered = unanswered.includes(value);
      if (isUnanswered) report.unanswered(item(value), outage);
      report.answered(fetchedAtMs, isUnanswered ? outage : undefined);
    }
    report.settled();
  }
  const found = () => ["a", "b", "c"].filter((value) => cells.unansweredOf("demo", item(value)) !== null);
  return { cells, calculate, found };
}

it("include only unanswered items, not their neighbours in a grid", () => {
  const { cells, calculate, found } = register();
  calculate("Plan!A1", ["b"]);
  expect(found()).toEqual(["b"]);
  expect(cells.unansweredOf("demo", item("b"))).toMatchObject({ sinceMs: 500, because: outage });
  expect(cells.unansweredOf("sandbox", item("b"))).toBeNull();
  expect(cells.unansweredOf("demo", history)).toBeNull();
});

it("stay while one cell shows them", () => {
  const { cells, calculate, found } = register();
  calculate("Plan!A1", ["a", "b"], 500);
  calculate("Plan!B1", ["b"], 300);
  expect(cells.unansweredOf("demo", item("b"))?.sinceMs).toBe(300);
  calculate("Plan!A1", []);
  expect(found()).toEqual(["b"]);
  cells.forget(["Plan!B1"]);
  expect(found()).toEqual([]);
});

it("are as old as the oldest value that a cell still shows, with the reason of such a cell", () => {
  const { cells, calculate } = register();
  const quota = new InvError("quota", "The quota is used up.");
  calculate("Plan!A1", ["b"], 1_000);
  const report = cells.begin("Plan!B1", "demo");
  report.requests(item("b"));
  report.answered(500_000, quota);
  report.settled();
  expect(cells.unansweredOf("demo", item("b"))).toEqual({ sinceMs: 1_000, because: outage });
  calculate("Plan!A1", [], 900_000);
  expect(cells.unansweredOf("demo", item("b"))).toEqual({ sinceMs: 500_000, because: quota });
});

it("don't count while their cell is recalculated, and follow a renamed sheet", () => {
  const { cells, calculate, found } = register();
  calculate("Plan!A1", ["a"]);
  cells.respellAddresses((address) => address.replace("Plan", "Week"));
  expect(found()).toEqual(["a"]);
  const report = cells.begin("Week!A1", "demo");
  expect(found()).toEqual([]);
  report.settled();
  expect(found()).toEqual([]);
});

it("exclude wrong entries and items that the service doesn't have", () => {
  const { cells, found } = register();
  const report = cells.begin("Plan!A1", "demo");
  report.requests(item("a"));
  report.unanswered(item("a"), new InvError("bad-argument", "item: wrong."));
  report.failed(new InvError("bad-argument", "item: wrong."));
  report.settled();
  expect(found()).toEqual([]);
});

describe("a refresh that couldn't begin", () => {
  it("leaves all items of its cells unanswered, and each cell its value", () => {
    const { cells, calculate, found } = register();
    calculate("Plan!A1", ["b"]);
    calculate("Plan!A2", []);
    cells.noteNotRefreshed(["Plan!A1", "Plan!A2", "Plan!A3"], outage);
    expect(found()).toEqual(["a", "b", "c"]);
    expect(cells.get("Plan!A2")).toMatchObject({ state: "stale", unansweredBecause: outage, oldestMs: 500 });
    expect(cells.summary()).toMatchObject({ latestUnanswered: 2, waiting: 0 });
    calculate("Plan!A1", []);
    calculate("Plan!A2", []);
    expect(found()).toEqual([]);
    expect(cells.summary()).toMatchObject({ latestUnanswered: 0 });
  });

  it("doesn't change waiting cells, or cells without a request", () => {
    const { cells } = register();
    const waiting = cells.begin("Plan!A1", "demo");
    waiting.requests(item("a"));
    cells.begin("Plan!A2", "demo").settled();
    cells.noteNotRefreshed(["Plan!A1", "Plan!A2"], outage);
    expect(cells.get("Plan!A1")).toMatchObject({ state: "waiting", unansweredBecause: null });
    expect(cells.get("Plan!A2")).toMatchObject({ state: "value", unansweredBecause: null });
  });

  it("shows the service's reason for an item without a value, and requests it again", () => {
    const { cells } = register();
    const report = cells.begin("Plan!A1", "demo");
    const none = new InvError("no-data", "No data found.");
    report.requests(item("a"));
    report.answered(500);
    report.failed(none);
    report.settled();
    cells.noteNotRefreshed(["Plan!A1"], outage);
    expect(cells.get("Plan!A1")).toMatchObject({ state: "problem", error: none, unansweredBecause: outage });
  });
});
