/**
 * A function's time is shown as a date in its own cell, which takes the format of its value; here also where a result
 * has spilled, in cells without a format of their own, as Excel does. Only what is drawn changes.
 */
import { InterceptorEffectEnum } from "@univerjs/core";
import { FormulaDataModel, INTERCEPTOR_POINT, SheetInterceptorService } from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

/** After the grid has put the spilled value there, at 100, and before numbers take their formats, at 10. */
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
