/**
 * The ledger's promise when people edit in between: two people freeze, the sheet is edited, and the work is killed midway.
 * After the thaw, every formula is in its right cell with its old references, or is in the ledger with a reason. No formula
 * is lost, and none is in a wrong place.
 */
import { fc } from "../../helpers/properties";
import { respellReferences } from "../../../src/formula/references";
import { cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";
import { anyEdit, edit } from "./edited-workbook";
import { Crash, crashing, freezeStage } from "./stage";

/** Nearly all values are equal, so that only a formula's references distinguish the rows. */
function plan(): MemoryWorkbook {
  const workbook = createMemoryWorkbook(["Plan"]);
  const put = (row: number, col: number, value: string | number) =>
    workbook.put({ sheet: "Plan", row, col }, value);
  for (let col = 0; col < 8; col += 1) put(0, col, `Head ${col}`);
  for (let row = 1; row <= 5; row += 1) {
    const n = row + 1;
    put(row, 0, 1000 + row);
    put(row, 1, String(10_000_000_000_000 + row));
    put(row, 2, `=INV.QTY(A${n},B${n})`);
    put(row, 3, `=INV.QTY(A${n},B${n})-F${n}`);
    put(row, 4, `Label ${row}`);
    put(row, 5, 50 + row);
    put(row, 6, `=INV.QTY(1234,"2000000000000${row}")`);
    put(row, 7, `=INV.QTY($A$2,B${n},"BACKROOM")`);
  }
  put(1, 9, "=INV.EVENTS(A2,B2)");
  workbook.spills.set(cellKey({ sheet: "Plan", row: 1, col: 9 }), { rows: 3, cols: 1 });
  for (const row of [2, 3]) put(row, 9, `event ${row}`);
  workbook.valueOf = (formula) => (formula.includes("EVENTS") ? "Time" : 0);
  return workbook;
}

/** A formula with what identifies it: the values that it refers to, its column's heading and its row's label. */
interface Known {
  readonly text: string;
  readonly meaning: string;
  readonly head: string | null;
  readonly label: string | null;
}

async function formulasOf(workbook: MemoryWorkbook): Promise<Known[]> {
  const found = await workbook.findFormulas((formula) => formula.includes("INV."));
  return found.map(({ formula, ...at }) => {
    const content = (ref: CellRef) => workbook.cells.get(cellKey(ref)) ?? null;
    const meaning = respellReferences(formula, (reference) => {
      const [, letters = "A", digits = "1"] = /([A-Z]+)\$?(\d+)$/.exec(reference) ?? [];
      return `<${content({ ...at, row: Number(digits) - 1, col: letters.charCodeAt(0) - 65 })}>`;
    });
    const head = content({ ...at, row: 0 });
    const label = Array.from({ length: 12 }, (_, col) => content({ ...at, col })).find((value) =>
      String(value).startsWith("Label"),
    );
    return {
      text: formula,
      meaning,
      head: String(head).startsWith("Head") ? String(head) : null,
      label: label === undefined ? null : String(label),
    };
  });
}

/**
 * A formula that refers to cells belongs where these contain the same values, even in another row into which somebody typed
 * them. A formula without references belongs to its row.
 */
const isSame = (one: Known, other: Known): boolean =>
  one.meaning === other.meaning &&
  (one.head === null || other.head === null || one.head === other.head) &&
  (one.meaning.includes("<") || one.label === null || other.label === null || one.label === other.label);

/** Removes one match for each formula. Returns what is left of the list, then what matched nothing. */
function without(
  list: readonly Known[],
  found: readonly Known[],
): { readonly rest: readonly Known[]; readonly strange: readonly Known[] } {
  const rest = [...list];
  const strange = found.filter((each) => {
    const at = rest.findIndex((other) => isSame(other, each));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return { rest, strange };
}

const kill = fc.option(
  fc.record({
    verb: fc.integer({ min: 1, max: 40 }),
    when: fc.constantFrom("before" as const, "after" as const),
  }),
  { nil: { verb: Infinity, when: "before" as const } },
);
const edits = fc.array(anyEdit, { maxLength: 4 });

const story = fc.record({
  split: fc.integer({ min: 1, max: 5 }),
  kills: fc.tuple(kill, kill, kill),
  between: fc.tuple(edits, edits),
  end: fc.constantFrom("finish" as const, "goBack" as const, "thaw" as const),
});

let killed = 0;
let listed = 0;
let back = 0;

async function tell({ split, kills, between, end }: Story): Promise<void> {
  const workbook = plan();
  let sheet = "Plan";
  let expected: readonly Known[] = await formulasOf(workbook);
  const ever = [...expected];
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
      killed += 1;
    });
  };
  // Formulas that people's edits create or change are expected as the edits leave them.
  const change = async (changes: (typeof between)[0]): Promise<void> => {
    const { rest, strange } = without(expected, await formulasOf(workbook));
    expect(strange).toEqual([]);
    for (const each of changes) sheet = edit(workbook, sheet, each);
    const now = await formulasOf(workbook);
    expected = [...rest, ...now];
    ever.push(...now);
  };

  await workbook.select({ sheet, row: 1, col: 0, rows: split, cols: 12 });
  await attempt(freezeStage(workbook, crashing(workbook, kills[0]).workbook).freezer.freeze("selection"));
  await attempt(freezeStage(workbook, crashing(workbook, kills[1]).workbook).freezer.freeze("workbook"));
  await change(between[0]);
  await attempt(freezeStage(workbook, crashing(workbook, kills[2]).workbook).freezer.thaw("workbook"));
  await change(between[1]);
  const { freezer } = freezeStage(workbook);
  if (end !== "thaw") await freezer[end]();
  // A freeze that ended midway may belong to another person who still works, so only the person's choice ends it.
  else if ((await freezer.frozen())?.state === "freezing") await freezer.goBack();
  const { skipped: left } = await freezer.thaw("workbook");

  const { rest, strange } = without(expected, await formulasOf(workbook));
  expect(strange).toEqual([]);
  const lines = await freezer.lines();
  const texts = lines.map(({ formula }) => formula);
  for (const one of rest) {
    // If somebody typed another row's item, two formulas mean the same, and either may be listed.
    const equals = ever.filter((other) => isSame(one, other)).map(({ text }) => text);
    const at = texts.findIndex((text) => text === one.text || equals.includes(text));
    expect([one.text, at]).not.toEqual([one.text, -1]);
    texts.splice(at, 1);
  }
  // Each has a reason, in the thaw's result and in the list.
  expect(lines.filter(({ refusal }) => refusal === null)).toEqual([]);
  expect(left.reduce((sum, { cells }) => sum + cells.length, 0)).toBe(lines.length);
  listed += lines.length;
  back += expected.length - rest.length;
}

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

test("after any edits and interruptions, each formula is back in its row, or listed", async () => {
  await fc.assert(fc.asyncProperty(story, tell), { numRuns: Number(process.env.INV_RUNS ?? 150) });
  // The scenarios are of all kinds.
  expect(killed).toBeGreaterThan(50);
  expect(listed).toBeGreaterThan(200);
  expect(back).toBeGreaterThan(200);
});
