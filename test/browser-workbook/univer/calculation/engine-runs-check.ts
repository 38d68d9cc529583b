/**
 * Tests the grid's calculations with its real engine: everything requested is calculated, whatever happens in between.
 * It runs in its own process, because the grid's modules do not load in the tests' process. On failure it exits with 1 and
 * the reason.
 */
import { deepStrictEqual } from "node:assert/strict";
import { Direction } from "@univerjs/core";
import {
  type BaseFunction,
  FormulaExecuteStageType,
  ICalculateFormulaService,
  IFormulaCurrentConfigService,
  IFormulaDependencyGenerator,
  IFunctionService,
  InsertSheetCommand,
  InsertRowByRangeCommand,
  RemoveDefinedNameCommand,
  RemoveRowByRangeCommand,
  RemoveSheetCommand,
  SetDefinedNameCommand,
} from "@univerjs/preset-sheets-core";
import { type Bed, complaints, createBed } from "./engine-bed";

const sheet = "Mine";

/** Acts once, after the engine has built the tree of the next run's first formula. */
function whilePrepared(bed: Bed, act: () => void): void {
  const generator = bed.injector.get(IFormulaDependencyGenerator) as unknown as {
    _getRangeListByNode(node: unknown): Promise<unknown>;
  };
  const original = generator._getRangeListByNode;
  generator._getRangeListByNode = async (node) => {
    generator._getRangeListByNode = original;
    const ranges = await original.call(generator, node);
    act();
    return ranges;
  };
}

const bed = createBed([sheet, "Long"], () => Promise.resolve({ kind: "value", value: 7 }));
bed.write(sheet, [0, 1], "=2*3");
bed.write(sheet, [1, 0], 1);
bed.write(sheet, [1, 1], "=A2+1");
bed.write(sheet, [1, 2], "=B2*10");
await bed.settled();

// A calculation runs in one piece: nobody can edit in a turn between its start and its end.
let turns = 0;
let startedIn = -1;
const spans: number[] = [];
const nextTurn = (): void => {
  setImmediate(() => {
    turns += 1;
    nextTurn();
  });
};
nextTurn();
const runs = bed.injector.get(ICalculateFormulaService);
runs.executionInProgressListener$.subscribe(({ stage }) => {
  if (stage === FormulaExecuteStageType.START) startedIn = turns;
});
runs.executionCompleteListener$.subscribe(() => spans.push(turns - startedIn));
for (let row = 0; row < 3_000; row += 1) bed.write("Long", [row, 0], `=SUM(A1:C${row + 1},1)-INV.QTY(1,2)`);
bed.write("Long", [0, 3], "=SEQUENCE(4)");
bed.write("Long", [0, 4], "=D3*2");
await bed.settled();
deepStrictEqual([...new Set(spans)], [0]);
deepStrictEqual(bed.values()["Long!E1"], 6);
bed.command(RemoveSheetCommand.id, { subUnitId: "Long" });
bed.write(sheet, [1, 0], 5);
await bed.settled();
deepStrictEqual(bed.values(), { "Mine!B1": 6, "Mine!A2": 5, "Mine!B2": 6, "Mine!C2": 60 });

// The formula below blocks the array. It stays and shows its current value, whether or not it is calculated in the same run.
const blocked = async (formula: string, below: string) => {
  bed.write(sheet, [20, 1], formula);
  bed.write(sheet, [21, 1], below);
  const shown: unknown[] = [];
  for (const rows of [2, 3, 4]) {
    bed.write(sheet, [20, 0], rows);
    await bed.settled();
    shown.push(bed.values()["Mine!B21"], bed.values()["Mine!B22"]);
  }
  return shown;
};
deepStrictEqual(await blocked("=SEQUENCE(A21)", "=SEQUENCE(2,1,5)"), [
  "#SPILL!",
  5,
  "#SPILL!",
  5,
  "#SPILL!",
  5,
]);
bed.write(sheet, [21, 2], "=B22");
deepStrictEqual(await blocked("=SEQUENCE(A21+0*C22)", "=A21*10"), [
  "#SPILL!",
  20,
  "#SPILL!",
  30,
  "#SPILL!",
  40,
]);

// A blocked array has become a single error, and later calculations find the new error.
bed.write(sheet, [20, 0], 2);
bed.write(sheet, [20, 1], "=IF(A21>1,SEQUENCE(A21),NA())");
bed.write(sheet, [21, 1], "in the way");
bed.write(sheet, [20, 2], "=IF(ISNA(B21),1,2)+D21");
await bed.settled();
deepStrictEqual([bed.values()["Mine!B21"], bed.values()["Mine!C21"]], ["#SPILL!", 2]);
bed.write(sheet, [20, 0], 1);
await bed.settled();
bed.write(sheet, [20, 3], 10);
await bed.settled();
deepStrictEqual([bed.values()["Mine!B21"], bed.values()["Mine!C21"]], ["#N/A", 11]);
for (const row of [20, 21]) for (const col of [0, 1, 2, 3]) bed.write(sheet, [row, col], null);
await bed.settled();

// A blocked array fills its cells as soon as nothing is in the way, however that happened.
const rowAt = (row: number) => ({ startRow: row, endRow: row, startColumn: 0, endColumn: 29 });
const typed = () => bed.write(sheet, [21, 1], "in the way");
const waysOut: readonly (readonly [blocker: () => void, wayOut: () => void, cell: string])[] = [
  [typed, () => bed.write(sheet, [21, 1], null), "Mine!B21"],
  [typed, () => bed.command(RemoveRowByRangeCommand.id, { subUnitId: sheet, range: rowAt(21) }), "Mine!B21"],
  [
    typed,
    () => {
      const inserted = { subUnitId: sheet, range: rowAt(19), direction: Direction.UP };
      bed.command(InsertRowByRangeCommand.id, inserted);
      bed.write(sheet, [22, 1], null);
    },
    "Mine!B22",
  ],
  [() => bed.write(sheet, [21, 0], "=SEQUENCE(1,A31)"), () => bed.write(sheet, [30, 0], 1), "Mine!B21"],
];
for (const [blocker, wayOut, cell] of waysOut) {
  bed.write(sheet, [30, 0], 2);
  blocker();
  await bed.settled();
  bed.write(sheet, [20, 1], "=SEQUENCE(3)");
  await bed.settled();
  deepStrictEqual(bed.values()["Mine!B21"], "#SPILL!");
  wayOut();
  await bed.settled();
  deepStrictEqual(bed.values()[cell], 1);
  for (const row of [20, 21, 22, 30]) for (const col of [0, 1]) bed.write(sheet, [row, col], null);
  await bed.settled();
}

// Names that are defined after the formulas that use them, get another meaning, and are removed.
bed.write(sheet, [50, 0], "=stores*2");
bed.write(sheet, [50, 1], "=Nearby+1");
const named = async (name: string, formulaOrRefString: string) => {
  bed.command(SetDefinedNameCommand.id, { id: name, name, formulaOrRefString });
  await bed.settled();
  return [bed.values()["Mine!A51"], bed.values()["Mine!B51"]];
};
await bed.settled();
deepStrictEqual([bed.values()["Mine!A51"], bed.values()["Mine!B51"]], ["#NAME?", "#NAME?"]);
deepStrictEqual(await named("Nearby", "=Stores*10"), ["#NAME?", "#NAME?"]);
deepStrictEqual(await named("Stores", "Mine!$B$1"), [12, 61]);
deepStrictEqual(await named("Stores", "Mine!$A$2"), [10, 51]);
bed.command(RemoveDefinedNameCommand.id, { id: "Stores", name: "Stores", formulaOrRefString: "Mine!$A$2" });
await bed.settled();
deepStrictEqual([bed.values()["Mine!A51"], bed.values()["Mine!B51"]], ["#NAME?", "#NAME?"]);

// Sheets that are there only after the formulas that refer to them.
bed.write(sheet, [52, 1], "=Later!B2+1");
bed.write(sheet, [52, 2], "=mine!B1+1");
const referring = async () => {
  await bed.settled();
  return ["B53", "C53"].map((cell) => bed.values()[`Mine!${cell}`]);
};
deepStrictEqual(await referring(), ["#REF!", "#REF!"]);
bed.command(InsertSheetCommand.id, {
  sheet: { id: "later", name: "Later", rowCount: 9, columnCount: 9, cellData: { 1: { 1: { v: 4 } } } },
});
deepStrictEqual(await referring(), [5, "#REF!"]);
bed.command(RemoveSheetCommand.id, { subUnitId: "later" });
for (const col of [1, 2]) bed.write(sheet, [52, col], null);
await bed.settled();

// An array's formula is removed just after a calculation has ended.
bed.write(sheet, [8, 0], "=SEQUENCE(2)");
bed.write(sheet, [8, 1], "=A10*10");
await bed.settled();
deepStrictEqual(bed.values()["Mine!B9"], 20);
const following = runs.executionCompleteListener$.subscribe(() => {
  following.unsubscribe();
  queueMicrotask(() => bed.write(sheet, [8, 0], null));
});
bed.write(sheet, [6, 0], "one");
await bed.settled();
deepStrictEqual(bed.values()["Mine!B9"], 0);

// Or between the request of a calculation and its begin, or before a calculation that the engine replaces by another.
const define = () =>
  bed.command(SetDefinedNameCommand.id, {
    ...{ id: "Nearby", name: "Nearby", formulaOrRefString: "Mine!$A$1" },
  });
const remove = () => bed.write(sheet, [8, 0], null);
for (const acts of [
  [define, remove],
  [remove, define],
]) {
  bed.write(sheet, [8, 0], "=SEQUENCE(2)");
  await bed.settled();
  deepStrictEqual(bed.values()["Mine!B9"], 20);
  for (const act of acts) act();
  await bed.settled();
  deepStrictEqual(bed.values()["Mine!B9"], 0);
}

// If the engine fails at a formula, that formula shows an error and the others show their values.
const executors = bed.injector.get(IFunctionService).getExecutors() as Map<unknown, Partial<BaseFunction>>;
const even = executors.get("EVEN")!;
const { calculate } = even;
const broken = new Error("A function that fails.");
even.calculate = () => {
  throw broken;
};
bed.write(sheet, [2, 0], "=EVEN(B1)");
bed.write(sheet, [2, 1], "=A2*3");
await bed.settled();
deepStrictEqual([bed.values()["Mine!A3"], bed.values()["Mine!B3"]], ["#VALUE!", 15]);
deepStrictEqual(complaints.splice(0), [broken]);
even.calculate = calculate;

// A run with another failure ends at once without a retry. The next run does its work.
let fails = 0;
const fail = () => {
  fails += 1;
  throw broken;
};
whilePrepared(bed, fail);
bed.write(sheet, [1, 0], 7);
await bed.settled();
deepStrictEqual([fails, complaints.splice(0), bed.values()["Mine!B2"]], [1, [broken], 6]);
bed.write(sheet, [6, 0], "one");
await bed.settled();
deepStrictEqual([bed.values()["Mine!B2"], bed.values()["Mine!C2"]], [8, 80]);

// The same is true if the run fails before it orders the formulas.
const config = bed.injector.get(IFormulaCurrentConfigService);
const { load } = config;
config.load = fail;
bed.calculateAll();
await bed.settled();
deepStrictEqual([fails, complaints.splice(0), bed.values()["Mine!A3"]], [2, [broken], "#VALUE!"]);
config.load = load;
bed.write(sheet, [6, 0], "more");
await bed.settled();
deepStrictEqual(bed.values()["Mine!A3"], 6);

// Circular references show an error: a sum would grow with each calculation, and INV would wait for itself. So do formulas
// that refer to them. The cells show their values again when the circle is broken.
bed.write(sheet, [40, 0], '=SUM(INV.QTY(A41:A43,"x"))');
bed.write(sheet, [40, 1], '=INV.QTY(C41,"x")');
bed.write(sheet, [40, 2], "=D41+1");
bed.write(sheet, [40, 3], "=IF(B41>5,1,2)");
bed.write(sheet, [40, 4], "=B41*10");
bed.write(sheet, [41, 1], "=SUM(B42:B44)");
bed.write(sheet, [41, 2], "=ROW(C42)+COLUMNS($A42:C42)");
await bed.settled();
const circles = ["A41", "B41", "C41", "D41", "E41", "B42", "C42"];
const shown = () => circles.map((cell) => bed.values()[`Mine!${cell}`]);
deepStrictEqual(shown(), [...Array<string>(6).fill("#VALUE!"), 45]);
bed.write(sheet, [40, 3], 1);
bed.write(sheet, [41, 1], "=SUM(B43:B44)");
await bed.settled();
deepStrictEqual(shown(), ["#VALUE!", 7, 2, 1, 70, 0, 45]);
for (const formulas of [
  ["=D41+1", "=C41+1"],
  ["=E41+1", "=1", "=C41+1"],
]) {
  for (const [index, formula] of formulas.entries()) bed.write(sheet, [40, 2 + index], formula);
  await bed.settled();
  deepStrictEqual(bed.values()["Mine!C41"], "#VALUE!");
}

// An array that fills a cell to which its formula refers is circular too, directly or through another cell. It would grow with
// each calculation. Its cells are values again when it no longer does.
bed.write(sheet, [60, 0], "=SEQUENCE(3)+A62");
bed.write(sheet, [60, 1], "=SEQUENCE(A67)+C61");
bed.write(sheet, [60, 2], "=B62+1");
bed.write(sheet, [60, 3], "=SEQUENCE(3)+ROW(D62)");
bed.write(sheet, [60, 4], "=D63");
bed.write(sheet, [66, 0], 3);
const filled = async () => {
  await bed.settled();
  return ["A61", "B61", "C61", "D61", "E61"].map((cell) => bed.values()[`Mine!${cell}`]);
};
deepStrictEqual(await filled(), ["#VALUE!", "#VALUE!", "#VALUE!", 63, 65]);
bed.write(sheet, [66, 0], 2);
deepStrictEqual(await filled(), ["#VALUE!", "#VALUE!", "#VALUE!", 63, 65]);
bed.write(sheet, [66, 0], 1);
deepStrictEqual(await filled(), ["#VALUE!", 2, 1, 63, 65]);
bed.write(sheet, [60, 0], "=SEQUENCE(3)+A66");
deepStrictEqual(await filled(), [1, 2, 1, 63, 65]);
process.exit();
