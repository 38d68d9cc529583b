/**
 * The cost of 40,000 INV formulas for Excel's page: the built add-in under Microsoft's own runtime in Chromium, from the
 * message with the calls to the last result. The same run measures the runtime alone, with a function that answers at once
 * and does nothing. Each is measured in three fresh pages. The least value counts, because other work of the machine only
 * adds time. Seconds depend on the machine; bytes and ratios hardly do.
 */
import { openInExcel } from "../excel/excel-in-browser";
import type { FunctionCall } from "../excel/function-host";
import { type CallMeasure, measureCalls } from "../excel/measure-calls";
import { byTitle, least, seconds, table } from "./figures";
import { demoPlaces, findings } from "./in-jest";

jest.setTimeout(60_000);

const calls = 40_000;
const rounds = 3;
const found = findings<Finding>(section);

interface Finding extends Omit<CallMeasure, "results"> {
  readonly title: string;
}

const sheets = [
  { title: "the runtime alone: a function that does nothing", environment: "demo", name: "FLOOR" },
  { title: "every cell gets its value", environment: "demo", name: "QTY" },
  { title: "every cell is refused: not connected", environment: "none", name: "QTY" },
  { title: "every cell is known at once: INV.ENV", environment: "demo", name: "ENV" },
];

// In turns, so that a slow minute of the machine affects all equally.
it.each(Array.from({ length: rounds }, () => sheets).flat())(
  "$title",
  async ({ title, environment, name }) => {
    const { stores, items } = await demoPlaces();
    const settings = { "inv.environment": environment };
    const excel = await openInExcel({ settings });
    while (!excel.host.functions.isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
    await excel.page.evaluate(addFloor);
    const { results, ...measure } = await measureCalls(
      excel,
      Array.from({ length: calls }, (_, row): FunctionCall => {
        const store = stores[row % stores.length];
        const item = items[Math.floor(row / stores.length) % items.length];
        // Excel passes null for omitted arguments.
        const parameters = name === "ENV" ? [] : [[[store]], [[item]], null, null, null];
        return { name, parameters, address: `Sheet1!C${row + 1}` };
      }),
    );
    expect(results).toHaveLength(calls);
    const refused = results.filter((result) => "error" in result && result.error === "#VALUE!").length;
    expect(refused).toBe(environment === "demo" ? 0 : calls);
    found({ title, ...measure });
  },
);

function section(all: readonly Finding[]): string {
  const rows = [...byTitle(all, least).values()].map((each, _, [floor]) => [
    `${calls.toLocaleString("en-US")} calls, ${each.title}`,
    seconds(each.tookMs),
    seconds(each.longestBlockMs),
    (each.longestBlockMs / (floor?.longestBlockMs ?? NaN)).toFixed(2),
    kilobytes(each.payloadBytes),
    kilobytes(each.largestMessageBytes),
  ]);
  const head = [
    ...["sheet", "s until the last result", "s of the longest block of the thread", "of the runtime's own"],
    ...["KB of results in all", "KB of the largest message"],
  ];
  return `## Under Microsoft's runtime\n\n${table(head, rows)}\n`;
}

function kilobytes(bytes: number): string {
  return Math.round(bytes / 1024).toLocaleString("en-US");
}

/** Runs in the page: the cost of a function that does nothing. */
function addFloor(): void {
  CustomFunctions.associate("FLOOR", () => Promise.resolve([[1]]));
}
