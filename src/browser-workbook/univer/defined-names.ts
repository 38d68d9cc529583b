/** The defined names of the workbook, and the hidden ones by which INV finds cells again. */
import { ICommandService, IUndoRedoService } from "@univerjs/core";
import {
  type FWorkbook,
  IDefinedNamesService,
  type ISetDefinedNameMutationParam,
  RemoveDefinedNameMutation,
  SetDefinedNameMutation,
} from "@univerjs/preset-sheets-core";
import { areaAddress, functionAddress } from "../../workbook/addresses";
import type { DefinedName, HiddenName } from "../../workbook/port";
import type { Grid } from "./create-grid";

/** The grid stores a name's formula with or without its `=`. */
export function namesIn(book: FWorkbook): DefinedName[] {
  return book.getDefinedNames().map((each) => {
    const formula = each.getFormulaOrRefString();
    const sheetId = each.isWorkbookScope() ? undefined : each.getLocalSheetId();
    return {
      name: each.getName(),
      sheet: sheetId === undefined ? null : (book.getSheetBySheetId(sheetId)?.getSheetName() ?? null),
      formula: formula.startsWith("=") ? formula : `=${formula}`,
    };
  });
}

/**
 * Adds and removes hidden names, thousands at once. No formula refers to them, so formulas need not be read. The grid's
 * own commands read every formula of the workbook for each name added or removed.
 */
export function createHiddenNames(grid: Grid) {
  const commands = grid.injector.get(ICommandService);
  const undoRedo = grid.injector.get(IUndoRedoService);

  function change(unitID: string, all: readonly ISetDefinedNameMutationParam[], isAdded: boolean): void {
    if (all.length === 0) return;
    const added = all.map((params) => ({ id: SetDefinedNameMutation.id, params }));
    const removed = all.map((params) => ({ id: RemoveDefinedNameMutation.id, params }));
    const [redoMutations, undoMutations] = isAdded ? [added, removed] : [removed, added];
    for (const { id, params } of redoMutations) commands.syncExecuteCommand(id, params);
    undoRedo.pushUndoRedo({ unitID, redoMutations, undoMutations });
  }

  return {
    add(unitId: string, names: readonly HiddenName[]): void {
      const all = names.map(({ name, area }) => {
        const absolute = areaAddress(area).replaceAll(/([A-Z]+)(\d+)/g, "$$$1$$$2");
        const formulaOrRefString = functionAddress(area.sheet, absolute);
        return { id: name, unitId, name, formulaOrRefString, hidden: true };
      });
      change(unitId, all, true);
    },
    /** Removes those that are hidden, and returns the others. */
    remove(unitId: string, names: readonly string[]): readonly string[] {
      const existing = Object.values(grid.injector.get(IDefinedNamesService).getDefinedNameMap(unitId) ?? {});
      const hidden = new Map(existing.filter((one) => one.hidden === true).map((one) => [one.name, one]));
      const removed = names.flatMap((name) => hidden.get(name) ?? []);
      change(
        unitId,
        removed.map((one) => ({ ...one, unitId })),
        false,
      );
      return names.filter((name) => !hidden.has(name));
    },
  };
}
