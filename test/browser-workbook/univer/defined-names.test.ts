/** A thousand hidden names are added and removed at once: only the names change, and one undo reverts it. */
import type { Grid } from "../../../src/browser-workbook/univer/create-grid";
import { createHiddenNames } from "../../../src/browser-workbook/univer/defined-names";

jest.mock("@univerjs/core", () => ({ ICommandService: "commands", IUndoRedoService: "undo" }));
jest.mock("@univerjs/preset-sheets-core", () => ({
  IDefinedNamesService: "names",
  RemoveDefinedNameMutation: { id: "remove" },
  SetDefinedNameMutation: { id: "set" },
}));

interface Name {
  readonly id: string;
  readonly name: string;
  readonly hidden?: boolean;
}

function stage(known: readonly Name[]) {
  const done: [string, Name][] = [];
  const undone: { readonly undoMutations: readonly unknown[]; readonly redoMutations: readonly unknown[] }[] =
    [];
  // The grid's own commands would read every formula of the workbook for each name. None of them is here.
  const services: Record<string, unknown> = {
    commands: { syncExecuteCommand: (id: string, name: Name) => done.push([id, name]) },
    undo: { pushUndoRedo: (step: (typeof undone)[number]) => undone.push(step) },
    names: { getDefinedNameMap: () => Object.fromEntries(known.map((name) => [name.id, name])) },
  };
  const grid = { injector: { get: (key: string) => services[key] } } as unknown as Grid;
  return { names: createHiddenNames(grid), done, undone };
}

test("adds names as one undo step", () => {
  const { names, done, undone } = stage([]);
  names.add(
    "book",
    [0, 1].map((row) => ({
      name: `_inv_${row}`,
      area: { sheet: "It's", row, col: 2, rows: row + 1, cols: 1 },
    })),
  );
  const added = [
    { id: "_inv_0", formulaOrRefString: "'It''s'!$C$1", hidden: true, unitId: "book" },
    { id: "_inv_1", formulaOrRefString: "'It''s'!$C$2:$C$3", hidden: true, unitId: "book" },
  ];
  expect(done).toMatchObject(added.map((name) => ["set", name]));
  expect(undone).toMatchObject([
    {
      redoMutations: added.map((params) => ({ id: "set", params })),
      undoMutations: added.map((params) => ({ id: "remove", params })),
    },
  ]);
});

test("removes only hidden names, and returns the others", () => {
  const [ours, theirs] = [
    { id: "1", name: "_inv_0", hidden: true },
    { id: "2", name: "Stores" },
  ];
  const { names, done, undone } = stage([ours, theirs]);
  expect(names.remove("book", ["_inv_0", "Stores", "gone"])).toEqual(["Stores", "gone"]);
  expect(done).toEqual([["remove", { ...ours, unitId: "book" }]]);
  expect(undone).toHaveLength(1);
  expect(names.remove("book", ["Stores"])).toEqual(["Stores"]);
  expect(undone).toHaveLength(1);
});
