/**
 * Excel isn't modal. While INV freezes or thaws, another person inserts, deletes and sorts rows, types, and copies and renames
 * the sheet between any two round trips. A second INV freezes or thaws too. No formula is lost, no number moves to another
 * row, typed values stay, and what is left frozen is listed with its true reason.
 */
import { lineIdOf } from "../../../src/workbook/frozen-formulas/freeze-commands";
import { fc } from "../../helpers/properties";
import type { Freezer } from "../../../src/workbook/frozen-formulas/freezer-types";
import { createLedger } from "../../../src/workbook/frozen-formulas/ledger";
import { type FreezeReport, lostReason } from "../../../src/workbook/frozen-formulas/report";
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { HostSheet } from "../../excel/sheet";
import { anyEdit, type Edit, edit, ownFormula, ownValue, plan, textOf, type Typed } from "./edited-excel";
import { freezerOf } from "./freezer-of";

/** Cells of the two columns that contain neither their row's formula, nor its value, nor what somebody typed there. */
function strangersIn(sheet: HostSheet, typed: Typed): string[] {
  return [...sheet.cells].flatMap(([row, line]) =>
    [2, 4].flatMap((col) => {
      const cell = line.get(col);
      const store = Number(line.get(0));
      const own =
        typeof cell === "string" && cell.startsWith("=") ? ownFormula(row, col) : ownValue(store, col);
      const isHeading = typeof cell === "string" && !cell.startsWith("=");
      const at = typed.get(Number(cell));
      const typedRow = at?.sheet === sheet ? at.row : at?.rowInCopy;
      const wasTyped = typedRow === row && at?.col === col;
      const isOwn = cell === undefined || cell === "" || isHeading || cell === own || wasTyped;
      return isOwn ? [] : [`${row},${col} ${JSON.stringify(cell)} for ${store}`];
    }),
  );
}

/** Stores of rows that have no formula in the column, although nobody typed there. */
function numbersIn(sheet: HostSheet, typed: Typed): { readonly store: number; readonly col: number }[] {
  return [...sheet.cells.values()].flatMap((line) =>
    [2, 4].flatMap((col) => {
      const [store, cell] = [line.get(0), line.get(col)];
      if (typeof store !== "number" || (typeof cell === "string" && cell.startsWith("="))) return [];
      return typed.has(Number(cell)) ? [] : [{ store, col }];
    }),
  );
}

interface Timed {
  readonly change: Edit;
  readonly trip: number;
}

interface Story {
  readonly edits: readonly Timed[];
  /** What another INV does, starting at this round trip. */
  readonly second: { readonly work: "freeze" | "thaw"; readonly trip: number } | null;
  /** Number of turns that each round trip waits, so that those of two INVs come in any order. */
  readonly waits: readonly number[];
}

async function stateOf(freezer: Freezer): Promise<string> {
  return (await freezer.frozen())?.state ?? "none";
}

/** Counts over all scenarios. */
const seen = { left: 0, seconds: 0 };

async function tell({ edits, second, waits }: Story): Promise<void> {
  const stage = plan();
  const { excel, workbook, sheet } = stage;
  const typed: Typed = new Map();
  let trip = 0;
  let toCheck = 0;
  const report = async (work: Promise<FreezeReport>): Promise<void> => {
    const { skipped: left } = await work.catch(() => ({ skipped: [] as FreezeReport["skipped"] }));
    for (const { reason, cells } of left) if (reason === lostReason) toCheck += cells.length;
  };
  let other: Promise<unknown> = Promise.resolve();
  excel.pace = async () => {
    trip += 1;
    const own = trip;
    for (const { change } of edits.filter((each) => each.trip === own)) edit(stage, change, typed);
    if (second?.trip === own) {
      seen.seconds += 1;
      const another = freezerOf(createOfficeWorkbook(excel));
      other = report(another[second.work]("workbook"));
    }
    for (let turn = waits[own % waits.length] ?? 0; turn > 0; turn -= 1) await new Promise(setImmediate);
  };
  const freezer = freezerOf(workbook);
  await report(freezer.freeze("workbook"));
  await report(freezer.thaw("workbook"));
  await other;
  excel.pace = () => Promise.resolve();
  const visible = excel.sheets.filter(
    ({ visibility, name }) => visibility === "Visible" && name !== "Events",
  );
  for (const each of visible) expect([each.name, strangersIn(each, typed)]).toEqual([each.name, []]);

  // Typed values are still there. With a single INV, its record of them is complete too.
  const there = excel.sheets.flatMap(({ cells }) =>
    [...cells.values()].flatMap((line) => [...line.values()]),
  );
  const missing = [...typed].filter(([value, { isGone }]) => !isGone && !there.includes(value));
  expect({ missing, toCheck: second === null ? toCheck : 0 }).toEqual({ missing: [], toCheck: 0 });

  // A formula that isn't in its row, where nobody typed, is in the ledger.
  const lines = (await createLedger(workbook).read())?.lines ?? [];
  const remembered = lines.map(({ entry }) => `${entry.store} ${entry.formula.includes("BACKROOM") ? 4 : 2}`);
  for (const each of visible) {
    const lost = numbersIn(each, typed).filter(({ store, col }) => !remembered.includes(`${store} ${col}`));
    expect([each.name, lost]).toEqual([each.name, []]);
  }
  const wasEdited = edits.some(
    ({ change: { kind, ...at } }) => "on" in at && at.on === "events" && kind !== "insert",
  );
  const hasSpill = [...there, ...lines.map(({ entry }) => entry.formula)].some((cell) =>
    textOf(cell).includes("INV.EVENTS"),
  );
  expect(hasSpill || wasEdited).toBe(true);

  // Without further edits, everything is restored except what has a reason.
  for (let state = await stateOf(freezer); state !== "none"; state = await stateOf(freezer)) {
    await (state === "freezing" ? freezer.goBack() : freezer.finish());
  }
  await freezer.thaw("workbook");
  const left = await freezer.lines();
  seen.left += left.length;
  const wasSorted = edits.some(({ change }) => change.kind === "sort");
  for (const { id, formula, refusal } of left) {
    const same = lines.find((line) => lineIdOf(line) === id);
    const state = stateOfRow(sheet, { formula, store: same?.entry.store ?? "" }, typed);
    expect(refusal).toMatch(trueReasons[state === "typed" && wasSorted ? "sorted" : state]);
  }
}

type RowState = "events" | "gone" | "typed" | "there";

/** The true reasons for a formula that stays frozen, by what happened to its row. */
const trueReasons: Readonly<Record<RowState | "sorted", RegExp>> = {
  events: /value was changed|have changed|was deleted|another formula/i,
  gone: /was deleted|have changed|another formula/i,
  typed: /value was changed|have changed/,
  // A sort may move a row, and the number typed into it, out of the frozen cells. Another row's formula may be there.
  sorted: /value was changed|have changed|another formula/i,
  there: /have changed|another formula/i,
};

function stateOfRow(
  sheet: HostSheet,
  { formula, store }: { readonly formula: string; readonly store: string },
  typed: Typed,
): RowState {
  if (formula.includes("EVENTS")) return "events";
  const row = [...sheet.cells.values()].find((line) => textOf(line.get(0)) === store);
  if (row === undefined) return "gone";
  return typed.has(Number(row.get(formula.includes("BACKROOM") ? 4 : 2))) ? "typed" : "there";
}

/** The thaw wrote into a block that had just moved, and the rows were sorted before it corrected this. */
const sortedAfterItMoved: Story = {
  edits: [
    { trip: 65, change: { kind: "sort" } },
    { trip: 63, change: { kind: "delete", on: "plan", row: 0 } },
    { trip: 32, change: { kind: "insert", on: "plan", row: 3 } },
  ],
  second: { work: "freeze", trip: 45 },
  waits: [3, 0, 3],
};

/** The thaw named a block by its address, to which other cells had moved. */
const movedBeforeItWasNamed: Story = {
  edits: [
    { trip: 49, change: { kind: "insert", on: "events", row: 0 } },
    { trip: 57, change: { kind: "delete", on: "events", row: 0 } },
  ],
  second: null,
  waits: [0],
};

/** The thaw knew the lines of both freezes when one was withdrawn. The copy had names of the other. */
const copiedWhileTwoFroze: Story = {
  edits: [
    { trip: 10, change: { kind: "type", on: "events", row: 2, col: 2 } },
    { trip: 104, change: { kind: "type", on: "events", row: 5, col: 4 } },
    { trip: 108, change: { kind: "copy" } },
  ],
  second: { work: "freeze", trip: 4 },
  waits: [1, 2, 0, 2, 0, 2, 0, 3],
};

/** A later freeze's line for a row kept an earlier freeze's line from its cell. */
const frozenTwiceAndSorted: Story = {
  edits: [
    { trip: 24, change: { kind: "type", on: "plan", row: 1, col: 2 } },
    { trip: 65, change: { kind: "sort" } },
  ],
  second: { work: "freeze", trip: 64 },
  waits: [0],
};

/** Somebody typed over what INV had written into the wrong row before INV corrected it. */
const typedAfterTheSort: Story = {
  edits: [
    { trip: 17, change: { kind: "sort" } },
    { trip: 24, change: { kind: "type", on: "plan", row: 1, col: 2 } },
  ],
  second: null,
  waits: [0],
};

/** Two thaws planned before a sort. One restored values in the copy, where the other had found its formulas. */
const copiedWhileTwoThawed: Story = {
  edits: [
    { trip: 67, change: { kind: "sort" } },
    { trip: 89, change: { kind: "copy" } },
    { trip: 50, change: { kind: "type", on: "events", row: 3, col: 2 } },
  ],
  second: { work: "thaw", trip: 33 },
  waits: [3, 3, 0, 3, 2, 1, 2, 0, 0, 3],
};

/** A thaw removed the names of a freeze whose first round had left its sheet empty. */
const namesOfTheSecondRound: Story = {
  edits: [
    { trip: 20, change: { kind: "sort" } },
    { trip: 105, change: { kind: "type", on: "plan", row: 0, col: 2 } },
  ],
  second: { work: "thaw", trip: 23 },
  waits: [3, 1],
};

/** Two freezes at once: one took the other's number in the wrong row for a typed one, and restored it. */
const sortedWhileTwoFroze: Story = {
  edits: [
    { trip: 64, change: { kind: "rename" } },
    { trip: 30, change: { kind: "sort" } },
  ],
  second: { work: "freeze", trip: 6 },
  waits: [2, 2, 1, 0],
};

/** A refused freeze left its sheet behind, which refused the next thaw. */
const sheetOfARefusedFreeze: Story = {
  edits: [
    { trip: 18, change: { kind: "sort" } },
    { trip: 55, change: { kind: "insert", on: "plan", row: 0 } },
  ],
  second: { work: "freeze", trip: 73 },
  waits: [2, 0, 2, 3, 0, 2],
};

/** The typed number's row was sorted after the thaw, and another row's formula came into its frozen cell. */
const typedAndSortedAway: Story = {
  edits: [
    { trip: 25, change: { kind: "type", on: "plan", row: 5, col: 2 } },
    { trip: 68, change: { kind: "sort" } },
    { trip: 1, change: { kind: "type", on: "plan", row: 3, col: 2 } },
  ],
  second: null,
  waits: [0],
};

test("no edit between two round trips loses a formula or puts a number into another row", async () => {
  const timed = fc.record({ change: anyEdit, trip: fc.integer({ min: 1, max: 110 }) });
  const story = fc.record({
    edits: fc.array(timed, { minLength: 1, maxLength: 3 }),
    second: fc.option(
      fc.record({
        work: fc.constantFrom("freeze" as const, "thaw" as const),
        trip: fc.integer({ min: 1, max: 110 }),
      }),
      { nil: null },
    ),
    waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }),
  });
  await fc.assert(fc.asyncProperty(story, tell), {
    numRuns: Number(process.env["INV_RUNS"] ?? 100),
    examples: [
      sortedAfterItMoved,
      copiedWhileTwoFroze,
      movedBeforeItWasNamed,
      frozenTwiceAndSorted,
      typedAfterTheSort,
      copiedWhileTwoThawed,
      namesOfTheSecondRound,
      sortedWhileTwoFroze,
      sheetOfARefusedFreeze,
      typedAndSortedAway,
    ].map((each): [Story] => [each]),
  });
  expect(seen.left).toBeGreaterThan(10);
  expect(seen.seconds).toBeGreaterThan(30);
});
