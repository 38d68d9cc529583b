/** Changes of formulas that fill many cells: one line for each formula, with its values inside; and the limit of values. */
import { cellKey } from "../../../src/workbook/addresses";
import type { CellContent } from "../../../src/workbook/port";
import type { InvError } from "../../../src/domain/errors";
import { outage, queryOf } from "../refresh/refresh-stage";
import { show, type Shown } from "./changes-stage";

const grid = { sheet: "Other", row: 0, col: 0 };
const item = (row: number) => queryOf({ ...grid, row }).value;

interface Filled {
  readonly formula: string;
  readonly before: CellContent[][];
  readonly after: CellContent[][];
  /** Which of the formula's queries fail. */
  readonly failing?: readonly number[];
  /** How many queries it makes. */
  readonly queries?: number;
}

async function spilled({ formula, before, after, failing = [], queries = 4 }: Filled): Promise<Shown> {
  const shown = await show([1]);
  const { workbook, cells } = shown.stage;
  const fill = (rows: CellContent[][]): void => {
    now = rows;
    workbook.spills.set(cellKey(grid), { rows: rows.length, cols: rows[0]?.length ?? 0 });
  };
  const calculate = (because: InvError | null): void => {
    const report = cells.begin("Other!A1", "demo");
    const asked = Array.from({ length: queries }, (_, row) => queryOf({ ...grid, row }));
    for (const query of asked) report.requests(query);
    for (const row of because === null ? [] : failing) {
      shown.stage.unanswered.note(asked[row]!, because!, "demo");
    }
    report.answered(shown.stage.clock.now(), because !== null);
    report.settled();
  };
  let now = before;
  workbook.put(grid, formula);
  fill(before);
  const { contentsOf } = workbook;
  workbook.contentsOf = async (areas) => {
    const contents = await contentsOf(areas);
    return contents.map((own, index) => (areas[index]?.sheet === "Other" ? now : own));
  };
  calculate(null);
  const mark = workbook.onRecalculate;
  workbook.onRecalculate = (refs) => {
    void mark(refs.filter(({ sheet }) => sheet === "Plan"));
    if (!refs.some(({ sheet }) => sheet === "Other")) return;
    calculate(failing.length > 0 ? outage : null);
    fill(after);
  };
  await shown.refresh();
  return shown;
}

const before = [
  [1, 2],
  [3, 4],
];
const qty = "=INV.QTY(A2:A5,B2:B5)";

it("lists the values of a grid in its own line, each with its own item", async () => {
  const after = [
    [0, 2],
    [8, 4],
  ];
  const shown = await spilled({ formula: qty, before, after });
  expect(shown.report().changed).toMatchObject([
    {
      cell: grid,
      of: 4,
      values: [
        { row: 0, col: 0, before: 1, after: 0, store: "1234", item: item(0) },
        { row: 1, col: 0, before: 3, after: 8, store: "1234", item: item(2) },
      ],
    },
  ]);
});

it("leaves out those of its values that weren't answered", async () => {
  const after = [
    [0, 2],
    [8, 9],
  ];
  const shown = await spilled({ formula: qty, before, after, failing: [0] });
  expect(shown.report().changed[0]?.values.map((value) => value.after)).toEqual([8, 9]);
});

it("has no changes if something hides which of its values failed", async () => {
  const after = [
    [0, 2],
    [8, 9],
  ];
  const shown = await spilled({
    ...{ formula: "=SORT(IFERROR(INV.QTY(A2:A5,B2:B5),0))", before, after },
    failing: [0],
  });
  expect(shown.report().changed).toEqual([]);
});

it("finds the items of a grid with blank lines, which ask for nothing", async () => {
  const shown = await spilled({
    ...{ formula: `=IFNA(INV.QTY(A2:A5,B2:B5),"")`, queries: 2 },
    before: [["", 1, "", 2]],
    after: [["", 1, "", 7]],
  });
  expect(shown.report().changed[0]?.values).toMatchObject([{ col: 3, before: 2, after: 7, item: item(1) }]);
});

it("a grid that had no value before is one of the cells without a value", async () => {
  const none = [[{ error: "#VALUE!" }, null]];
  const shown = await spilled({ formula: qty, before: none, after: [[1, 2]], queries: 2 });
  expect(shown.report()).toMatchObject({ changed: [], added: [{ cell: grid, values: [{}, {}] }] });
});

it.each([
  ["has more rows", [[5], [6], [7]], "3 rows"],
  ["has as many rows, but others", [[6], [7]], "2 other rows"],
])("a table that %s is compared as a whole", async (_what, after, words) => {
  const shown = await spilled({
    ...{ formula: `=INV.EVENTS(1234,"${item(0)}")`, queries: 1 },
    ...{ before: [[5], [6]], after },
  });
  expect(shown.report().changed).toMatchObject([
    { cell: grid, of: 1, values: [{ before: "2 rows", after: words, item: item(0) }] },
  ]);
});

it("a table that shows the same hasn't changed", async () => {
  const same = { before: [[5], [6]], after: [[5], [6]] };
  const shown = await spilled({ formula: `=INV.EVENTS(1234,"${item(0)}")`, queries: 1, ...same });
  expect(shown.report().changed).toEqual([]);
});

it("compares nothing with more than 200,000 values, and the report says so", async () => {
  const shown = await show([1, 2]);
  const { workbook } = shown.stage;
  workbook.put({ sheet: "Other", row: 0, col: 0 }, "=INV.QTY(1,2)");
  workbook.spills.set(cellKey({ sheet: "Other", row: 0, col: 0 }), { rows: 200_000, cols: 1 });
  shown.next.set(0, 5);
  await shown.refresh();
  expect(shown.report()).toMatchObject({ isTooLarge: true, changed: [] });
});
