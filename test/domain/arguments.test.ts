/** Store numbers, item numbers and words: what INV reads, and how it refuses the rest. */
import { fc } from "../helpers/properties";
import { parseAreaChoice, parseItemType, parseLocationArea, parseState } from "../../src/domain/choices";
import { isInvError } from "../../src/domain/errors";
import { eventTypes, meaningOf, parseEventType } from "../../src/domain/event-types";
import { parseItemNumber, parseStoreNumber } from "../../src/domain/identifiers";

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

  it.each<[string | number | boolean, string, string]>([
    [9, "9", "Look the store number up again."],
    ["0", "0", "Look the store number up again."],
    [1000000, "1000000", "Look the store number up again."],
    ["00012345678905", "00012345678905", "It is as long as an item: the store comes first, then the item."],
    [12345678905, "12345678905", "It is as long as an item: the store comes first, then the item."],
    [-1234, "-1234", "Leave out the minus sign."],
    ["-1234", "-1234", "Leave out the minus sign."],
    [-5, "-5", "It is negative: look it up again."],
    [1234.5, "1234.5", "It has decimals: look it up again."],
    [46346.25, "46346.25", "It has decimals: look it up again."],
    ["1234.00", "1234.00", "Write it without decimals."],
    [1e15, "1000000000000000", "Excel keeps 15 digits of a number: enter it as text."],
    [1e21, "1e+21", "Excel keeps 15 digits of a number: enter it as text."],
    ["1 234", "1 234", "Write it without separators."],
    ["1,234", "1,234", "Write it without separators."],
    ["I2O4", "I2O4", "It contains letters in place of digits."],
    ["\uFF11\uFF12\uFF13\uFF14", "\uFF11\uFF12\uFF13\uFF14", "Write it with the digits 0 to 9."],
    ["\u0661\u0662\u0663", "\u0661\u0662\u0663", "Write it with the digits 0 to 9."],
    ["1e3", "1e3", "Its last digits are lost: paste it again into cells formatted as text."],
    [true, "TRUE", "Select the cell that contains its digits."],
    [NaN, "NaN", "Write its digits only, such as 1234."],
    [Infinity, "Infinity", "Write its digits only, such as 1234."],
    ["#1234", "#1234", "Write its digits only."],
    ["Store 1234", "Store 1234", "Write its digits only."],
    ["Aisle 12, store 1234", "Aisle 12, store 1234", "Write its digits only, such as 1234."],
    ["US1234", "US1234", "Write its digits only, such as 1234."],
  ])("is refused for %j, with what was received and what to do", (input, received, advice) => {
    expect(messageOf(parseStoreNumber(input))).toBe(
      `store: expected a store number of 2 to 6 digits, received "${received}". ${advice}`,
    );
  });

  it("is an integer of 2 to 6 digits or an error, for any input", () => {
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

  it.each<[string | number | boolean, string]>([
    ["12345678X", "Write its digits only, such as 123456789."],
    [-5, "Leave out the minus sign."],
    [1.5, "It has decimals: look it up again."],
    [true, "Select the cell that contains its digits."],
    ["1e9", "Its last digits are lost: paste it again into cells formatted as text."],
    [1e15, "Excel keeps 15 digits of a number: enter it as text."],
    [1e21, "Excel keeps 15 digits of a number: enter it as text."],
    ["12345678O", "It contains letters in place of digits."],
    ["123-456-789", "Write it without separators."],
    ["\uFF11\uFF12\uFF13", "Write it with the digits 0 to 9."],
    ["1".repeat(33), "More than 32 digits: look the item number up again."],
  ])("is refused for %j, with what to do", (input, advice) => {
    const message = messageOf(parseItemNumber(input));
    expect(message).toMatch(/^item: expected an item number \(wm_item_number\), digits only, received "/);
    expect(message.endsWith(`". ${advice}`)).toBe(true);
  });

  it("may have 15 digits, as many as Excel keeps", () => {
    expect(parseItemNumber(999_999_999_999_999)).toBe("999999999999999");
  });
});

describe("words to choose from", () => {
  it("are read in any letter case, with spaces or hyphens for underscores", () => {
    expect(parseLocationArea(" backRoom ")).toBe("BACKROOM");
    expect(parseAreaChoice("all")).toBe("ALL");
    expect(parseState("net-available")).toBe("NET_AVAILABLE");
    expect(parseItemType("WM Item Number")).toBe("wm_item_number");
  });

  it("are refused with the allowed words", () => {
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

  it("have a blank meaning if the code isn't documented", () => {
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
