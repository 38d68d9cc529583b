/** Edits that a planner may make to a workbook of the drill, each described in a few words. */
import { UndoCommand } from "@univerjs/core";
import {
  InsertRowByRangeCommand,
  RemoveDefinedNameCommand,
  RemoveRowByRangeCommand,
  RemoveSheetCommand,
  SetDefinedNameCommand,
} from "@univerjs/preset-sheets-core";
import type { Scalar } from "../../../src/browser-workbook/functions/cell-values";
import type { Bed } from "../../browser-workbook/univer/calculation/engine-bed";
import { type Cell, formulas, guest, inputs, items, main, obstacles, other } from "./cells";

export interface Edits {
  /** Returns a random one of the edits. */
  any(): string;
  /** Defines the names that formulas use. */
  names(): void;
}

export function createEdits(bed: Bed, random: () => number): Edits {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  /** Number of rows inserted above all others. */
  let above = 0;
  let isGuestGone = false;

  function write([row, col, content]: Cell): string {
    bed.write(main, [row + above, col], content);
    return `${String.fromCharCode(65 + col)}${row + above + 1} = ${JSON.stringify(content)}`;
  }

  function moveRows(): string {
    const range = { startRow: 0, endRow: 0, startColumn: 0, endColumn: 29 };
    const isInsert = above === 0;
    // As by a person: an undo may have shown another sheet. The grid adjusts references to the sheet in view.
    bed.api.getActiveWorkbook()?.setActiveSheet(main);
    const { id } = isInsert ? InsertRowByRangeCommand : RemoveRowByRangeCommand;
    bed.command(id, { subUnitId: main, range, direction: 0 });
    above = isInsert ? 1 : 0;
    return isInsert ? "row inserted above" : "row removed above";
  }

  function moveGuest(): string {
    // The undo works because no other edit comes between.
    if (isGuestGone) bed.command(UndoCommand.id);
    else bed.command(RemoveSheetCommand.id, { subUnitId: guest });
    isGuestGone = !isGuestGone;
    return isGuestGone ? "sheet removed" : "sheet brought back";
  }

  function undo(edit: string): string {
    bed.command(UndoCommand.id);
    return `${edit}, and undone`;
  }

  function name(name: string, meaning: string): string {
    bed.command(SetDefinedNameCommand.id, { id: name, name, formulaOrRefString: meaning });
    return `${name} = ${meaning}`;
  }

  function removeName(): string {
    const formulaOrRefString = `${main}!$A$1`;
    bed.command(RemoveDefinedNameCommand.id, { id: "Named", name: "Named", formulaOrRefString });
    return "Named removed";
  }

  const kinds: readonly [share: number, edit: () => string][] = [
    [5, () => write([0, 0, pick<Scalar>([1234, 12, 99])])],
    [6, () => write([pick([1, 2, 3]), 0, pick(items)])],
    [3, () => write([0, 8, pick([1, 2, 3, 4])])],
    // Formulas are identified by their position without the rows above.
    [3, () => (above > 0 ? moveRows() : write(pick(formulas)))],
    [1, () => write(pick(obstacles))],
    [2, () => undo(write(pick([...inputs, ...obstacles])))],
    [1, moveRows],
    [1, () => name("Named", `${main}!${pick(["$A$1", "$I$1"])}`)],
    [1, removeName],
    [2, () => (bed.write(other, [20, 1], random()), "a number elsewhere")],
  ];
  const all = kinds.flatMap(([share, edit]) => Array.from({ length: share }, () => edit));

  return {
    any: () => (isGuestGone || random() < 0.05 ? moveGuest() : pick(all)()),
    names() {
      name("Named", `${main}!$A$1`);
      name("Alias", "=Named+1");
      name("Visitor", `${guest}!$A$2`);
    },
  };
}
