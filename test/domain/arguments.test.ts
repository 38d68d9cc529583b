/** Store numbers, item numbers and words to choose from: what is read, and what is refused in which words. */
import fc from "fast-check";
import { parseAreaChoice, parseItemType, parseLocationArea, parseState } from "../../src/domain/choices";
import { isInvError } from "../../src/domain/errors";
import { eventTypes, meaningOf, parseEventType } from "../../src/domain/event-types";
import { parseItemNumber } from "../../src/domain/item-number";
import { parseStoreNumber } from "../../src/domain/store-number";

const messageOf = (result: unknown): string => (isInvError(result) ? result.message : "no error");

describe("a store number", () => {
  it.each<[string | number, number]>([
    [10, 10],
    [999999, 999999],
    ["1234", 1234],
    [" 01234 ", 1234],
    ["'1234", 1234],
  ])("is read from %j", (input, store) => {
    expect(parseStoreNumber(input)).toBe(store);
  });

  it.each([
    9,
    1000000,
    -1234,
    1234.5,
    NaN,
    Infinity,
    true,
    "0",
    "1 234",
    "1,234",
    "#1234",
    "Store 1234",
    "1e3",
  ])("is refused for %j", (input) => {
    expect(messageOf(parseStoreNumber(input))).toBe(
      `store: expected a store number of 2 to 6 digits, received "${String(input).replace("true", "TRUE")}". Write its digits only, such as 1234.`,
    );
  });

  it("is an integer of 2 to 6 digits or an error, whatever comes", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double(), fc.integer()), (input) => {
        const store = parseStoreNumber(input);
        return typeof store === "number" ? /^\d{2,6}$/.test(String(store)) : store.message.length < 200;
      }),
    );
  });
});

describe("an item number", () => {
  it.each<[string | number, string]>([
    [123456789, "123456789"],
    [" 123 456 789 ", "123456789"],
    ["000123456", "000123456"],
    ["1234567890123", "1234567890123"],
  ])("is read from %j, the length being the service's to judge", (input, itemNumber) => {
    expect(parseItemNumber(input)).toBe(itemNumber);
  });

  it.each(["12345678X", -5, 1.5, true, "1e9", "1".repeat(33)])("is refused for %j", (input) => {
    expect(messageOf(parseItemNumber(input))).toMatch(
      /^item: expected an item number \(wm_item_number\), digits only/,
    );
  });
});

describe("words to choose from", () => {
  it("are read in any letter case, with spaces or hyphens for underscores", () => {
    expect(parseLocationArea(" backRoom ")).toBe("BACKROOM");
    expect(parseAreaChoice("all")).toBe("ALL");
    expect(parseState("net-available")).toBe("NET_AVAILABLE");
    expect(parseItemType("WM Item Number")).toBe("wm_item_number");
  });

  it("are refused with the words that are allowed", () => {
    expect(messageOf(parseLocationArea("ALL"))).toBe(
      'location_area: expected STORE or BACKROOM, received "ALL". Write one of these, in any letter case.',
    );
    expect(messageOf(parseState("SOLD"))).toMatch(
      /^state: expected AVAILABLE or NET_AVAILABLE, received "SOLD"/,
    );
    expect(messageOf(parseItemType(1))).toMatch(/^item_type: expected gtin or wm_item_number, received "1"/);
  });
});

describe("event types", () => {
  it("are the 22 documented codes, each with a category and a meaning", () => {
    expect(eventTypes).toHaveLength(22);
    expect(new Set(eventTypes.map(({ code }) => code)).size).toBe(22);
    expect(eventTypes.every(({ category, meaning }) => category !== "" && meaning !== "")).toBe(true);
  });

  it("have a blank meaning when the code is not documented", () => {
    expect(meaningOf("SALES")).toBe("Store-level sales transactions");
    expect(meaningOf("LP")).toBe("");
    expect(meaningOf("constructor")).toBe("");
  });

  it("are read in any letter case, documented or not", () => {
    expect(parseEventType(" sales ")).toBe("SALES");
    expect(parseEventType("POF")).toBe("POF");
    expect(parseEventType("CDV2")).toBe("CDV2");
  });

  it.each([12, "12", "S/ALES", "SALES,RETURNS", "", true, "A".repeat(17)])("are refused for %j", (input) => {
    expect(messageOf(parseEventType(input))).toMatch(
      /^event_type: expected an event code such as SALES, received/,
    );
  });
});
