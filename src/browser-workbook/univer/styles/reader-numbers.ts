/**
 * Shows numbers in cells with the separators of the reader's system, as everything else on the page. Formats keep Excel's
 * English codes. The grid formats numbers with a format in a language of its own choice, and others always with a point.
 */
import { CellValueType, InterceptorEffectEnum, numfmt } from "@univerjs/core";
import { INTERCEPTOR_POINT, SheetInterceptorService } from "@univerjs/preset-sheets-core";
import { englishFormat, systemFormat } from "../../paste/locale-format";
import type { Grid } from "../grid";

/** A language tag that belongs to nobody. */
const readersLanguage = "zxx";

/** After the grid has formatted the numbers that have a format (10). */
const priority = 8;

export function showReadersNumbers({ api, injector }: Grid): void {
  const { decimal, thousands: group } = systemFormat();
  if (decimal === englishFormat.decimal && group === englishFormat.thousands) return;
  numfmt.addLocale({ decimal, group }, readersLanguage);
  // Its type lists only the languages that the package brings.
  api.getActiveWorkbook()?.setNumfmtLocal(readersLanguage as "en");
  injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    id: "inv-readers-numbers",
    priority,
    effect: InterceptorEffectEnum.Value,
    handler(cell, _location, next) {
      if (typeof cell?.v !== "number" || Number.isInteger(cell.v) || cell.t === CellValueType.STRING) {
        return next(cell);
      }
      return next({ ...cell, v: String(cell.v).replace(".", decimal), t: CellValueType.NUMBER });
    },
  });
}
