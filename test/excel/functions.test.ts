/**
 * The built add-in as Excel calls it: under Microsoft's own runtime, with answers from the demo. The tests check what Excel
 * would put into the cells.
 */
import { until } from "../helpers/until";
import { type ExcelPage, type ExcelPageOptions, openInExcel } from "./excel-in-browser";
import type { CellResult, FunctionCall } from "./function-host";
import { measureCalls } from "./measure-calls";

const mostBytes = 5 * 1024 * 1024;
const connected: ExcelPageOptions = { settings: { "inv.environment": "demo" } };
/** An environment without credentials: every cell that needs the service is refused. */
const unconnected: ExcelPageOptions = { settings: { "inv.environment": "none" } };

async function openReady(options: ExcelPageOptions): Promise<ExcelPage> {
  const excel = await openInExcel(options);
  await until(() => excel.host.functions.isReady());
  return excel;
}

function cell(name: string, row: number, ...parameters: unknown[]): FunctionCall {
  return { name, parameters, address: `Sheet1!C${row}` };
}

/** Single values in the matrices that the functions declare. */
const qty = (row: number, store: unknown, item: unknown): FunctionCall =>
  cell("QTY", row, [[store]], [[item]]);

const gtin = "00012345678905";

/** All messages with results, and their sizes. */
const resultMessages = ({ host }: ExcelPage) =>
  host.requests.filter(({ names }) => names.includes("setInvocationArrayResults"));

const texts = (results: readonly CellResult[]) =>
  results.filter((result) => "error" in result && result.text !== "").length;

describe("in Excel", () => {
  it("values, errors with their texts, blanks and matrices arrive as they are", async () => {
    const { host } = await openReady(connected);
    const results = await Promise.all(
      host.functions.call([
        qty(1, 1234, gtin),
        qty(2, "x", gtin),
        qty(3, 1234, "00099999999997"),
        qty(4, 0, 0),
        cell("ENV", 5),
        cell("QTY", 6, [[1234], ["x"], [1234]], [[gtin], [gtin], [gtin]]),
        cell("UPDATED", 7, [[1234]], [[gtin]]),
      ]),
    );
    const text = expect.any(String) as string;
    expect(results).toEqual([
      { value: [[expect.any(Number)]] },
      { error: "#VALUE!", text: expect.stringContaining('received "x"') as string },
      { error: "#N/A", text },
      { value: [[""]] },
      { value: [["demo"]] },
      {
        value: [
          [expect.any(Number)],
          [expect.objectContaining({ basicType: "Error", basicValue: "#VALUE!", message: text })],
          [expect.any(Number)],
        ],
      },
      {
        value: [
          [
            {
              type: "Double",
              basicType: "Double",
              basicValue: expect.any(Number) as number,
              numberFormat: "yyyy-mm-dd hh:mm",
            },
          ],
        ],
      },
    ]);
  });

  it("without formatted numbers, times arrive as plain serials", async () => {
    const { host } = await openReady({ ...connected, lacks: ["CustomFunctionsRuntime 1.4"] });
    const [updated] = await Promise.all(host.functions.call([cell("UPDATED", 1, [[1234]], [[gtin]])]));
    expect(updated).toEqual({ value: [[expect.any(Number)]] });
  });

  it("reports its functions as ready only when all are there, however late they come", async () => {
    const excel = await openReady({ ...connected, addinDelayMs: 1_000 });
    expect(excel.functionsWhenReady()).toBe(11);
    const results = await Promise.all(excel.host.functions.call([qty(1, 1234, gtin)]));
    expect(results).toEqual([{ value: [[expect.any(Number)]] }]);
  });
});

describe("many cells", () => {
  it("40,000 that fail at once arrive in messages that Excel accepts, about the first 200 with their texts", async () => {
    const excel = await openReady(unconnected);
    const calls = Array.from({ length: 40_000 }, (_, row) => qty(row + 1, 1000 + (row % 50), gtin));
    const { results, largestMessageBytes, tookMs } = await measureCalls(excel, calls);
    expect(largestMessageBytes).toBeLessThan(mostBytes);
    expect(results.every((result) => "error" in result && result.error === "#VALUE!")).toBe(true);
    expect(texts(results)).toBeGreaterThan(100);
    // 200 in each ten seconds, even on a slow machine.
    expect(texts(results)).toBeLessThanOrEqual(200 * (2 + tookMs / 10_000));
    expect(resultMessages(excel).every(({ refused }) => refused === null)).toBe(true);
  });

  it("a grid of 50,000 that fails shows its reason, and a neighbour shows its value", async () => {
    const excel = await openReady(unconnected);
    const stores = Array.from({ length: 1_000 }, (_, row) => [1000 + row]);
    const items = [Array.from({ length: 50 }, (_, col) => String(10_000_000_000_000 + col))];
    const [grid, neighbour] = await Promise.all(
      excel.host.functions.call([cell("QTY", 1, stores, items), cell("EVENTTYPES", 2, [[false]])]),
    );
    expect(grid).toMatchObject({ error: "#VALUE!", text: expect.stringMatching(/connect/i) as string });
    expect(neighbour).toHaveProperty("value");
    expect(resultMessages(excel).every(({ refused }) => refused === null)).toBe(true);
  });
});
