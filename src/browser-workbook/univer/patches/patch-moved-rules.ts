/**
 * Conditional formats when rows and columns are inserted or removed.
 * - `SheetInterceptorService.onCommandExecute`: what is inserted before the selected rows or columns gets the grid's formats of the cells
 *   after it, but the formulas move along: all colors below would be one row off. As in Excel, it gets the formats of the cells before
 *   it here, with which the grid moves formulas rightly.
 * - `FormulaRefRangeService.transformFormulaByEffectCommand`: for the grid, `$I2` stays when column I moves, as if the formula were copied.
 * - `Worksheet.getCellWithFilteredInterceptors`: what is inserted keeps the colors that the cells before it show at that moment. Here it
 *   gets only their own formats.
 */
import { Direction, Worksheet } from "@univerjs/core";
import {
  EffectRefRangId,
  FormulaRefRangeService,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { isFixed } from "../../../formula/cells";
import { respellReferences } from "../../../formula/references";
import { functionAddress } from "../../../workbook/addresses";
import type { Grid } from "../grid";
import { replaceMember } from "./replace-member";

const after = new Map<string, Direction>([
  [EffectRefRangId.InsertRowCommandId, Direction.DOWN],
  [EffectRefRangId.InsertColCommandId, Direction.RIGHT],
]);

export function patchMovedRules({ injector }: Pick<Grid, "injector">): void {
  replaceMember(
    Worksheet.prototype,
    { of: "Worksheet", member: "getCellWithFilteredInterceptors" },
    () =>
      function cellAlone(this: Worksheet, row, col) {
        return this.getCellRaw(row, col);
      },
  );
  replaceMember(
    injector.get(SheetInterceptorService),
    { of: "SheetInterceptorService", member: "onCommandExecute" },
    (execute) => (command) => {
      const direction = after.get(command.id);
      return execute(
        direction === undefined ? command : { ...command, params: { ...command.params, direction } },
      );
    },
  );
  replaceMember(
    injector.get(FormulaRefRangeService),
    { of: "FormulaRefRangeService", member: "transformFormulaByEffectCommand" },
    (transform) =>
      (...args) => {
        const [unitId, sheetId, formula, command] = args;
        return respellReferences(formula, (cells, sheet) => {
          const plain = cells.replaceAll("$", "");
          const reference = sheet === null ? plain : functionAddress(sheet, plain);
          const moved = transform(unitId, sheetId, `=${reference}`, command);
          return fixedAs(cells, moved.replace(/^=(?:.*!(?=.))?/s, ""));
        });
      },
  );
}

/** Fixes the same parts of the moved cells. */
function fixedAs(cells: string, moved: string): string {
  if (moved === "#REF!") return moved;
  const parts = cells.match(/\$?(?:[A-Za-z]+|\d+)/g) ?? [];
  return moved.replaceAll(/[A-Z]+|\d+/g, (part) => (isFixed(parts.shift() ?? "") ? `$${part}` : part));
}
