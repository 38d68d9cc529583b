/**
 * Shows the dates in a spill as dates. The formula's own cell takes the format of its value; here this also applies
 * to the cells of its spill without their own format, as in Excel. Only the drawing changes.
 */
import { InterceptorEffectEnum } from "@univerjs/core";
import { FormulaDataModel, INTERCEPTOR_POINT, SheetInterceptorService } from "@univerjs/preset-sheets-core";
import type { Grid } from "../grid";

/** After the grid adds the spilled value (100) and before it formats numbers (10). */
const priority = 50;

export function showSpilledFormats(grid: Grid): void {
  const model = grid.injector.get(FormulaDataModel);
  grid.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    id: "inv-spilled-formats",
    priority,
    effect: InterceptorEffectEnum.Style | InterceptorEffectEnum.Value,
    handler(cell, { unitId, subUnitId, row, col, workbook }, next) {
      if (typeof cell?.v !== "number") return next(cell);
      const spilled = model.getArrayFormulaCellData()[unitId]?.[subUnitId]?.[row]?.[col];
      if (!spilled) return next(cell);
      const styles = workbook.getStyles();
      const brought = styles.getStyleByCell(spilled)?.n;
      const own = styles.getStyleByCell(cell) ?? {};
      return next(brought?.pattern && !own.n?.pattern ? { ...cell, s: { ...own, n: brought } } : cell);
    },
  });
}
