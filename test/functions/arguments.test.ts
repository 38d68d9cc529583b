/** Arguments in every form that Excel and people pass, and the Invocation after them. */
import { qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { fakeContext, HostError, shownBy, withHost } from "./fakes";

const gtin = "00012345678905";
let context = fakeContext();

withHost();

beforeEach(() => {
  context = fakeContext();
  startFunctions(context);
});

const errorCell = (basicValue: string): object => ({ type: "Error", basicType: "Error", basicValue });

describe("arguments as Excel passes them", () => {
  it.each<[string, unknown, unknown]>([
    ["a text and a number", [[1234]], [[gtin]]],
    ["a store as text", [["1234"]], [[gtin]]],
    ["a GTIN as a number", [[1234]], [[12345678905]]],
    ["values that are not in a matrix", 1234, gtin],
    [
      "a formatted number",
      [[{ type: "Double", basicType: "Double", basicValue: 1234, numberFormat: "0" }]],
      [[gtin]],
    ],
    ["a text data type", [[1234]], [[{ type: "String", basicType: "String", basicValue: gtin }]]],
  ])("are read from %s", async (_name, store, item) => {
    expect(await shownBy(qty(store as unknown[][], item as unknown[][]))).toBe(12);
    expect(context.engine.items).toEqual([{ storeNumber: 1234, itemType: "gtin", value: gtin }]);
  });

  it.each([
    null,
    undefined,
    "",
    0,
    [[null]],
    [[""]],
    [[{ type: "Empty", basicType: "Empty", basicValue: "" }]],
  ])("treat %j as an omitted optional argument", async (blank) => {
    const omitted = blank as unknown[][];
    expect(await shownBy(qty([[1234]], [[gtin]], omitted, omitted, omitted))).toBe(12);
  });

  it.each(["#N/A", "#DIV/0!", "#NUM!", "#NULL!", "#REF!", "#NAME?", "#VALUE!", "#SPILL!"])(
    "name the error %s of a cell, and never return it, because IFNA would take it for an answer",
    async (code) => {
      const words = (name: string) =>
        `#VALUE! The ${name} is an error: ${code}. Correct the cell that it comes from.`;
      expect(await shownBy(qty([[1234]], [[errorCell(code)]]))).toBe(words("item"));
      expect(await shownBy(qty([[1234]], [[code]]))).toBe(words("item"));
      expect(await shownBy(qty([[new HostError(code) as unknown]], [[gtin]]))).toBe(words("store"));
      expect(context.engine.items).toEqual([]);
    },
  );

  it("refuse an entity, which has no value of its own", async () => {
    const entity = {
      type: "Entity",
      text: "Bolt",
      properties: {},
      basicType: "Error",
      basicValue: "#VALUE!",
    };
    expect(await shownBy(qty([[1234]], [[entity]]))).toMatch(
      /^#VALUE! item is a data type .*Use one of its fields/,
    );
  });

  it("don't confuse a picture in a cell, which has an address, with the Invocation", async () => {
    const picture = {
      type: "WebImage",
      address: "https://x.example/a.png",
      basicType: "Error",
      basicValue: "#VALUE!",
    };
    expect(await shownBy(qty(1234 as never, picture as never))).toMatch(/^#VALUE! item is a data type/);
    expect(context.cells.summary().cells).toBe(0);
  });

  it("find the Invocation if the metadata is older than the code", async () => {
    const invocation = { functionName: "QTY", address: "Plan!C2" } as unknown as unknown[][];
    expect(await shownBy(qty([[1234]], [[gtin]], invocation))).toBe(12);
    expect(context.engine.cells).toEqual(["Plan!C2"]);
  });

  it("find the Invocation by members of its prototype, as in Excel", async () => {
    class ExcelInvocation {
      get functionName(): string {
        return "QTY";
      }
      get address(): string {
        return "Plan!C3";
      }
    }
    await qty([[1234]], [[gtin]], undefined, undefined, undefined, new ExcelInvocation());
    expect(context.engine.cells).toEqual(["Plan!C3"]);
  });

  it("work for a host that passes no address", async () => {
    await qty([[1234]], [[gtin]], undefined, undefined, undefined, { functionName: "QTY" });
    expect(context.engine.cells).toEqual([undefined]);
  });

  it("read each item by the item type of its own row", async () => {
    await qty([[1234]], [["00012345678905"], ["123456789"]], undefined, undefined, [
      ["gtin"],
      ["wm_item_number"],
    ]);
    expect(context.engine.items.map(({ itemType }) => itemType)).toEqual(["gtin", "wm_item_number"]);
  });
});

describe("errors", () => {
  it("have Excel's shape if the host has no error class", async () => {
    Reflect.deleteProperty(globalThis, "CustomFunctions");
    await expect(qty([["x"]], [[gtin]])).rejects.toMatchObject({
      code: "#VALUE!",
      message: expect.stringMatching(/^store: expected/) as string,
    });
  });

  it("say in under 200 characters what was expected, what was received, and what to do", async () => {
    const long = "y".repeat(5000);
    const wrong: unknown[][][] = [[[long]], [[gtin]], [[long]], [[long]], [[long]]];
    for (let index = 0; index < wrong.length; index++) {
      const arguments_ = [[[1234]], [[gtin]], [["STORE"]], [["AVAILABLE"]], [["gtin"]]] as unknown[][][];
      arguments_[index] = [[long]];
      const [store, item, area, state, type] = arguments_;
      const shown = await shownBy(qty(store!, item!, area, state, type));
      expect(shown).toMatch(/^#VALUE! \w+: expected .*, received "yyy.*\. .*\.$/);
      expect(String(shown).length).toBeLessThan(208);
    }
  });
});
