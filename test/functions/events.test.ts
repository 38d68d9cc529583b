/** INV.EVENTS, EVENTQTY, LASTEVENT and EVENTTYPES: from a history to what the cell shows. */
import { type ErrorCode, InvError } from "../../src/domain/errors";
import type { HistoryEvent } from "../../src/domain/records";
import { eventQuantity, eventTable, eventTypeList, lastEvent } from "../../src/functions/catalogue/events";
import { env } from "../../src/functions/catalogue/workbook";
import { startFunctions } from "../../src/functions/context";
import { event, fakeContext, found, none, nowMs, shownBy, withHost } from "./fakes";

const gtin = "00012345678905";
const hourMs = 3_600_000;
const history: readonly HistoryEvent[] = [
  event("SALES", 3, nowMs - 2 * hourMs),
  { ...event("LP", 1, nowMs - hourMs), quantityAfter: 11 },
  event("SALES", 4, nowMs),
];

const at = (address: string): CustomFunctions.Invocation => ({ functionName: "EVENTQTY", address });

let context = fakeContext();

withHost();

beforeEach(() => {
  context = fakeContext();
  context.engine.answerHistory = ({ eventType }) =>
    found(history.filter((entry) => eventType === undefined || entry.eventType === eventType));
  startFunctions(context);
});

describe("INV.EVENTS", () => {
  it("lists time, code, meaning and quantities below headings, unknown codes as they come", async () => {
    const shown = await shownBy(eventTable(1234, gtin));
    expect(shown).toEqual([
      ["Time (UTC)", "Event type", "Meaning", "Quantity", "Quantity after"],
      [expect.closeTo(46346.5 - 2 / 24, 9), "SALES", "Store-level sales transactions", 3, ""],
      [expect.closeTo(46346.5 - 1 / 24, 9), "LP", "", 1, 11],
      [46346.5, "SALES", "Store-level sales transactions", 4, ""],
    ]);
  });

  it("leaves the headings out for FALSE, in each way a sheet says it", async () => {
    for (const no of [false, 0, "false", [[false]]]) {
      expect(await shownBy(eventTable(1234, gtin, null, null, null, null, no))).toHaveLength(3);
    }
    for (const yes of [true, 1, "TRUE", null, undefined, ""]) {
      expect(await shownBy(eventTable(1234, gtin, null, null, null, null, yes))).toHaveLength(4);
    }
    expect(await shownBy(eventTable(1234, gtin, null, null, null, null, "maybe"))).toMatch(
      /^#VALUE! headers: expected/,
    );
  });

  it("doesn't send arguments that the user left out", async () => {
    await eventTable(1234, gtin, null, null, null, null, null);
    await eventTable(1234, gtin, "sales", 46345.7, "2026-11-20", "backroom");
    expect(context.engine.histories).toEqual([
      { storeNumber: 1234, gtin },
      {
        storeNumber: 1234,
        gtin,
        eventType: "SALES",
        startDate: "2026-11-19",
        endDate: "2026-11-20",
        locationArea: "BACKROOM",
      },
    ]);
  });

  it("shows a quantity that cannot be read as an error in its own row, which no sum leaves out", async () => {
    const unreadable = { ...event("SALES", 0, nowMs), quantity: null };
    context.engine.answerHistory = () => found([...history, unreadable]);
    const shown = await shownBy(eventTable(1234, gtin));
    expect(shown).toHaveLength(5);
    expect(shown).toHaveProperty("4.3", expect.stringMatching(/^#VALUE! The quantity of a SALES event/));
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["SALES"]]))).toMatch(
      /^#VALUE! The quantity of a SALES event/,
    );
  });

  it("is #N/A when there are no such events, and when the service says so", async () => {
    expect(await shownBy(eventTable(1234, gtin, "RETURNS"))).toMatch(/^#N\/A There are no such events/);
    context.engine.answerHistory = () => none("no-data", "Data not found for the given request parameters.");
    expect(await shownBy(eventTable(1234, gtin))).toBe(
      "#N/A Data not found for the given request parameters.",
    );
  });

  it("refuses dates outside the service's window without a call", async () => {
    expect(await shownBy(eventTable(1234, gtin, null, "2026-11-20", "2026-11-18"))).toMatch(
      /^#VALUE! start_date/,
    );
    expect(await shownBy(eventTable(1234, gtin, null, "11/20/2026"))).toMatch(/yyyy-mm-dd/);
    expect(context.engine.histories).toEqual([]);
  });

  it("accepts a single GTIN", async () => {
    expect(await shownBy(eventTable(1234, "123456789"))).toMatch(/^#VALUE! gtin: expected a GTIN/);
    expect(await shownBy(eventTable(1234, [[gtin], [gtin]]))).toMatch(
      /^#VALUE! gtin is a range of 2 x 1, but/,
    );
    expect(await shownBy(eventTable("", gtin))).toBe("");
  });
});

describe("INV.EVENTQTY", () => {
  it("adds up the events of one type", async () => {
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["SALES"]]))).toBe(7);
    expect(context.engine.histories).toEqual([{ storeNumber: 1234, gtin, eventType: "SALES" }]);
  });

  it("is 0 if the service answered with a history without such events", async () => {
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["RETURNS"]]))).toBe(0);
    expect(context.engine.histories).toEqual([{ storeNumber: 1234, gtin, eventType: "RETURNS" }]);
  });

  it("requests the whole history if the filter finds no data, to distinguish 0 from no data", async () => {
    const no = none("no-data", "Data not found for the given request parameters.");
    context.engine.answerHistory = ({ eventType }) => (eventType === undefined ? found(history) : no);
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["RETURNS"]]))).toBe(0);
    expect(context.engine.histories).toEqual([
      { storeNumber: 1234, gtin, eventType: "RETURNS" },
      { storeNumber: 1234, gtin },
    ]);
    context.engine.answerHistory = () => no;
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["RETURNS"]]))).toMatch(/^#N\/A Data not found/);
  });

  describe("for days without such events", () => {
    const no = none("no-data", "Data not found. At least one of the given request parameters is invalid.");
    const today = (): Promise<unknown> =>
      shownBy(
        eventQuantity([[1234]], [[gtin]], [["SALES"]], [["2026-11-20"]], undefined, undefined, at("Plan!C2")),
      );
    const filter = { storeNumber: 1234, gtin, eventType: "SALES", startDate: "2026-11-20" };

    it("is 0 if the item has a history of all days, which is requested once", async () => {
      context.engine.answerHistory = ({ startDate }) => (startDate === undefined ? found(history) : no);
      expect(await today()).toBe(0);
      expect(context.engine.histories).toEqual([filter, { storeNumber: 1234, gtin }]);
      // So a refresh doesn't request it again.
      expect(context.cells.get("Plan!C2")?.queries).toEqual(filter);
    });

    it("is 0 without another call if the item's history is known, however old", async () => {
      context.engine.answerHistory = () => no;
      context.engine.knownWhole = ({ startDate }) =>
        startDate === undefined ? found(history, nowMs - 24 * hourMs) : undefined;
      expect(await today()).toBe(0);
      expect(context.engine.histories).toEqual([filter]);
      expect(context.cells.get("Plan!C2")?.oldestMs).toBe(nowMs);
    });

    it("is 0 for a cancelled cell whose history is known, and marks it stale", async () => {
      const staleBecause = new InvError("cancelled", "Cancelled before the answer came.");
      context.engine.answerHistory = () => ({ ...no, staleBecause });
      context.engine.knownWhole = ({ startDate }) => (startDate === undefined ? found(history) : no);
      expect(await today()).toBe(0);
      expect(context.cells.get("Plan!C2")?.isUnanswered).toBe(true);
    });

    it("is #N/A if the item has no history of any day", async () => {
      context.engine.answerHistory = () => no;
      expect(await today()).toMatch(/^#N\/A Data not found/);
      expect(context.engine.histories).toEqual([filter, { storeNumber: 1234, gtin }]);
    });

    it.each<[ErrorCode, string]>([
      ["no-history", "Data not found for the given request parameters."],
      ["invalid-gtin", "No data found. Invalid GTIN"],
    ])("is #N/A without another call if the service says more than no data: %s", async (code, message) => {
      context.engine.answerHistory = () => none(code, message);
      expect(await today()).toBe(`#N/A ${message}`);
      expect(context.engine.histories).toEqual([filter]);
    });
  });

  it("names the days that the service keeps if it refuses one outside them", async () => {
    const refusal = none(
      "refused-request",
      "The service refused /start_date/2026-11-13 of the request (400).",
    );
    context.engine.answerHistory = () => refusal;
    const since = (date: string): Promise<unknown> =>
      shownBy(eventQuantity([[1234]], [[gtin]], [["SALES"]], [[date]]));
    expect(await since("2026-11-14")).not.toContain("UTC");
    startFunctions({ ...context, now: () => Date.UTC(2026, 10, 21, 1) });
    expect(await since("2026-11-14")).toMatch(
      /\(400\)\. The service keeps events from 2026-11-15 to 2026-11-21 \(UTC\)\.$/,
    );
  });

  it("fails if the request for the whole history fails: an outage is neither 0 nor #N/A", async () => {
    const outage = new InvError("service-down", "The service is not available.");
    context.engine.answerHistory = ({ eventType }) =>
      eventType === undefined ? Promise.reject(outage) : none("no-data", "Data not found.");
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["SALES"]]))).toMatch(
      /^#VALUE! The service is not/,
    );
  });

  it.each([
    ["the sum of the cached whole history, stale", history, 0],
    ["the cached #N/A, stale, if nothing else is cached", null, "#N/A Data not found."],
  ])(
    "requests nothing more if the filter's answer is only the last known one, and shows %s",
    async (_, whole, shown) => {
      const because = new InvError("cancelled", "Cancelled before the answer came.");
      const no = none("no-data", "Data not found.");
      context.engine.answerHistory = () => ({ ...no, staleBecause: because });
      context.engine.knownWhole = () => (whole === null ? undefined : found(whole, nowMs - hourMs));
      expect(
        await shownBy(
          eventQuantity([[1234]], [[gtin]], [["RETURNS"]], undefined, undefined, undefined, at("Plan!C2")),
        ),
      ).toBe(shown);
      expect(context.engine.histories).toEqual([{ storeNumber: 1234, gtin, eventType: "RETURNS" }]);
      expect(context.cells.get("Plan!C2")?.isUnanswered).toBe(true);
    },
  );

  it("stays #N/A for an item of somebody else, without a second call", async () => {
    context.engine.answerHistory = () => none("not-mapped", "The requested GTIN is not mapped");
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["SALES"]]))).toMatch(/^#N\/A .*not mapped/);
    expect(context.engine.histories).toHaveLength(1);
  });

  it.each(["not cached", "cached"])(
    "names a mistyped code, with the history %s: IFNA doesn't turn it into 0",
    async (isCached) => {
      if (isCached === "cached") await eventTable(1234, gtin);
      const mistyped = (type: string): Promise<unknown> =>
        shownBy(eventQuantity([[1234]], [[gtin]], [[type]]));
      expect(await mistyped("SALE")).toBe(
        '#VALUE! event_type: expected an event code that is documented or that an answer contains, received "SALE". Did you mean SALES?',
      );
      expect(await mistyped("XYZ")).toMatch(/^#VALUE! .*INV.EVENTTYPES/);
      expect(await shownBy(eventTable(1234, gtin, "SALE"))).toMatch(/^#VALUE! .*Did you mean SALES/);
      expect(await shownBy(lastEvent([[1234]], [[gtin]], [["SALE"]]))).toMatch(
        /^#VALUE! .*Did you mean SALES/,
      );
      // No request with a filter for it was sent.
      expect(context.engine.histories.every(({ eventType }) => eventType === undefined)).toBe(true);
    },
  );

  it("accepts an undocumented code for every item once an answer has contained it", async () => {
    context.engine.answerHistory = ({ gtin: item }) =>
      found(item === gtin ? [event("QX", 5)] : [event("SALES", 1)]);
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [["QX"]]))).toBe(5);
    context.engine.answerHistory = () => found([]);
    expect(await shownBy(eventQuantity([[1234]], [["00000000000017"]], [["QX"]]))).toBe(0);
  });

  it("needs an event type, because types are never mixed", async () => {
    expect(await shownBy(eventQuantity([[1234]], [[gtin]], [[null]]))).toMatch(
      /^#VALUE! event_type: expected .*nothing/,
    );
    expect(context.engine.histories).toEqual([]);
  });

  it("makes a grid of items down and event types across", async () => {
    expect(await shownBy(eventQuantity([[1234]], [[gtin], [""]], [["SALES", "LP"]]))).toEqual([
      [7, 1],
      ["", ""],
    ]);
  });
});

describe("INV.LASTEVENT", () => {
  it("is the time of the latest event, of one type or of any", async () => {
    expect(await shownBy(lastEvent([[1234]], [[gtin]]))).toBe(46346.5);
    expect(await shownBy(lastEvent([[1234]], [[gtin]], [["LP"]]))).toBeCloseTo(46346.5 - 1 / 24, 9);
    expect(await shownBy(lastEvent([[1234]], [[gtin]], [["PI"]]))).toMatch(/^#N\/A There are no PI events/);
  });

  it("asks for the same history as INV.EVENTS, so that the engine shares it", async () => {
    await Promise.all([eventTable(1234, gtin), lastEvent([[1234]], [[gtin]])]);
    expect(context.engine.histories[1]).toEqual(context.engine.histories[0]);
  });
});

describe("INV.EVENTTYPES and INV.ENV", () => {
  it("list the documented codes without a call", async () => {
    const shown = (await shownBy(eventTypeList())) as unknown[][];
    expect(shown).toHaveLength(23);
    expect(shown.slice(0, 2)).toEqual([
      ["Category", "Event type", "Meaning"],
      ["Sales and returns", "SALES", "Store-level sales transactions"],
    ]);
    expect(await shownBy(eventTypeList(false))).toHaveLength(22);
  });

  it("return the environment, or say that none is chosen", async () => {
    expect(await shownBy(env())).toBe("demo");
    startFunctions({ ...context, environmentId: () => null });
    expect(await shownBy(env())).toMatch(/^#VALUE! No environment is chosen yet/);
  });
});
