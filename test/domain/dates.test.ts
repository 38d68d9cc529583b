/** Dates as serials and as text, and the days that the service keeps. */
import { fc } from "../helpers/properties";
import { checkHistoryDates, dateFromMs, msFromSerial, parseDate, serialFromMs } from "../../src/domain/dates";
import { isInvError } from "../../src/domain/errors";

const noon = Date.UTC(2026, 10, 20, 12);

const today = Date.UTC(2026, 10, 27, 12);

describe("Excel serials", () => {
  it.each([
    [Date.UTC(1970, 0, 1), 25569],
    [Date.UTC(2026, 10, 20), 46346],
    [Date.UTC(2026, 10, 20, 6), 46346.25],
    [Date.UTC(1900, 2, 1), 61],
    [Date.UTC(9999, 11, 31), 2958465],
  ])("of %i ms is %d", (ms, serial) => {
    expect(serialFromMs(ms)).toBe(serial);
    expect(msFromSerial(serial)).toBe(ms);
  });

  it("convert back to the same millisecond", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1900, 2, 1), max: Date.UTC(9999, 11, 31) }), (ms) => {
        expect(msFromSerial(serialFromMs(ms))).toBe(ms);
      }),
    );
  });

  it("with any time belong to their day", () => {
    const days = fc.integer({ min: 61, max: 2_958_465 });
    const longAgo = Date.UTC(1850, 0, 1);
    fc.assert(
      fc.property(days, fc.double({ min: 0, max: 0.99, noNaN: true }), (day, time) => {
        const date = parseDate(day + time, "start_date", longAgo);
        expect(date).toBe(dateFromMs(msFromSerial(day)));
        expect(parseDate(String(date), "start_date", longAgo)).toBe(date);
      }),
    );
  });
});

describe("a date", () => {
  it.each<[string | number, string]>([
    ["2026-11-20", "2026-11-20"],
    [" '2026-11-20", "2026-11-20"],
    ["2026-11-20T23:59:59Z", "2026-11-20"],
    ["2026-11-20 07:30", "2026-11-20"],
    [46346, "2026-11-20"],
    [46346.99, "2026-11-20"],
    ["2028-02-29", "2028-02-29"],
  ])("is read from %j", (input, date) => {
    expect(parseDate(input, "start_date", today)).toBe(date);
  });

  it.each([
    "11/20/2026",
    "20.11.2026",
    "2026-02-30",
    "2026-13-01",
    "46346",
    20261120,
    0.5,
    -1,
    NaN,
    true,
    "today",
  ])("is refused for %j, which is ambiguous or no date", (input) => {
    const result = parseDate(input, "end_date", today);
    expect(isInvError(result) && result.message).toMatch(
      /^end_date: expected an Excel date or yyyy-mm-dd text.*Write it as 2026-11-27 or/s,
    );
  });
});

describe("the dates of a history", () => {
  it("may be left out, or within the days that the service keeps", () => {
    expect(checkHistoryDates({}, noon)).toBeNull();
    expect(checkHistoryDates({ startDate: "2026-11-14", endDate: "2026-11-20" }, noon)).toBeNull();
    expect(checkHistoryDates({ startDate: "2026-11-20", endDate: "2026-11-20" }, noon)).toBeNull();
  });

  it("are refused in the wrong order, too old or in the future", () => {
    expect(checkHistoryDates({ startDate: "2026-11-19", endDate: "2026-11-18" }, noon)?.message).toMatch(
      /Swap them/,
    );
    expect(checkHistoryDates({ startDate: "2026-11-12" }, noon)?.message).toBe(
      'start_date: expected one of the last 7 days, all the service keeps, received "2026-11-12". ' +
        "Write 2026-11-14 to 2026-11-20 (UTC), not in the future, or leave it out.",
    );
    expect(checkHistoryDates({ endDate: "2026-11-22" }, noon)?.message).toMatch(
      /^end_date: .*not in the future/,
    );
  });

  it("are accepted if only the service's time zone decides", () => {
    const earlyInUtc = Date.UTC(2026, 10, 20, 1);
    expect(checkHistoryDates({ startDate: "2026-11-13" }, earlyInUtc)).toBeNull();
  });

  it("are the service's day if they are one day after it, as TODAY() is in a morning in Tokyo", () => {
    const tokyo = Date.UTC(2026, 10, 29, 22, 46);
    const serial = serialFromMs(Date.UTC(2026, 10, 30));
    expect(parseDate(serial, "start_date", tokyo)).toBe("2026-11-29");
    expect(parseDate("2026-11-30", "end_date", tokyo)).toBe("2026-11-29");
    expect(parseDate(serial + 1, "start_date", tokyo)).toBe("2026-12-01");
    expect(checkHistoryDates({ startDate: "2026-12-01" }, tokyo)?.message).toMatch(/not in the future/);
  });
});
