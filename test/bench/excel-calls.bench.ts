/**
 * What a sheet of 40,000 INV formulas costs Excel's page, whole way: the built add-in under Microsoft's own
 * runtime in Chromium, from the message that holds the calls to the last result. Seconds depend on the machine;
 * bytes do not. Writes its findings to the file that INV_BENCH_OUT names.
 */
import { openInExcel } from "../excel/excel-in-browser";
import type { FunctionCall } from "../excel/function-host";
import { measureCalls } from "../excel/measure-calls";
import { benchInBrowser, demoPlaces } from "./in-browser";

jest.setTimeout(120_000);

const calls = 40_000;
const bench = benchInBrowser();

it.each([
  ["every cell gets its value", "demo", "QTY"],
  ["every cell is refused: not connected", "none", "QTY"],
  // Nearly all of it is the runtime's own.
  ["every cell is known at once: INV.ENV", "demo", "ENV"],
])("%s", async (title, environment, name) => {
  const { stores, items } = await demoPlaces();
  const excel = await openInExcel(bench.browser(), { settings: { "inv.environment": environment } });
  while (!excel.host.functions.isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
  const { results, ...measure } = await measureCalls(
    excel,
    Array.from({ length: calls }, (_, row): FunctionCall => {
      const store = stores[row % stores.length];
      const item = items[Math.floor(row / stores.length) % items.length];
      const parameters = name === "QTY" ? [[[store]], [[item]]] : [];
      return { name, parameters, address: `Sheet1!C${row + 1}` };
    }),
  );
  expect(results).toHaveLength(calls);
  const refused = results.filter((result) => "error" in result && result.error === "#VALUE!").length;
  expect(refused).toBe(environment === "demo" ? 0 : calls);
  bench.found({ title, calls, ...measure });
  await excel.page.context().close();
});
