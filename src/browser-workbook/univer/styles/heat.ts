/**
 * Heat colours. The grid's own rules do not see spilled cells, and heat is for those: so the colour is added when a
 * cell is drawn, from the numbers that its area shows then. No cell is changed, so undo, copies and downloads know
 * nothing of it; the areas stand in the workbook's own data and are saved with it.
 */
import { InterceptorEffectEnum } from "@univerjs/core";
import { type FWorksheet, INTERCEPTOR_POINT, SheetInterceptorService } from "@univerjs/preset-sheets-core";
import { parsedJson } from "../../../domain/json";
import type { CellReader, Rectangle } from "../cell-reader";
import type { Grid } from "../create-grid";
import type { ConditionalFormat } from "./grid-rule";
import { type HeatColors, heatColor, type HeatScale, heatScale } from "./heat-color";

export interface Heat {
  add(sheet: FWorksheet, area: Rectangle, colors: HeatColors): void;
}

/** As the workbook's data keeps it. Colours are lowest first. */
interface SavedHeat extends Rectangle {
  readonly sheetId: string;
  readonly colors: HeatColors;
}

/** Where the workbook's data keeps the areas. */
const heatSetting = "inv.heat";
/** After the style of the cell itself, before the grid's own rules. */
const priority = 9;

/** @param onChange tells that values may have changed */
export function createHeat(grid: Grid, reader: CellReader, onChange: (listener: () => void) => void): Heat {
  const book = () => grid.api.getActiveWorkbook();
  let areas: readonly SavedHeat[] = savedAreas(book()?.getCustomMetadata()?.[heatSetting]);
  /** Of the numbers as they stand, once one of an area's cells was drawn. */
  const scales = new Map<SavedHeat, HeatScale | null>();
  onChange(() => scales.clear());

  function colorAt(sheetId: string, row: number, col: number): string | null {
    const area = areas.find((each) => each.sheetId === sheetId && isWithin(each, row, col));
    if (area === undefined) return null;
    const sheet = book()?.getSheetBySheetId(sheetId);
    if (!sheet) return null;
    const scale = scales.get(area) ?? heatScale(reader.values(sheet, area).flat());
    scales.set(area, scale);
    const [[value] = []] = reader.values(sheet, { row, col, rows: 1, cols: 1 });
    return scale === null || typeof value !== "number" ? null : heatColor(value, scale, area.colors);
  }

  grid.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    id: heatSetting,
    priority,
    effect: InterceptorEffectEnum.Style,
    handler(cell, { subUnitId, row, col, workbook }, next) {
      const color = areas.length === 0 ? null : colorAt(subUnitId, row, col);
      if (color === null) return next(cell);
      const own = workbook.getStyles().getStyleByCell(cell) ?? {};
      return next({ ...cell, s: { ...own, bg: { rgb: color } } });
    },
  });

  return {
    add(sheet, area, colors) {
      const sheetId = sheet.getSheetId();
      const { row, col, rows, cols } = area;
      const isThere = (each: SavedHeat): boolean => Boolean(book()?.getSheetBySheetId(each.sheetId));
      const others = areas.filter(
        (each) => isThere(each) && !(each.sheetId === sheetId && isWithin(each, row, col)),
      );
      const added: SavedHeat = { sheetId, row, col, rows, cols, colors };
      scales.clear();
      areas = [...others, added];
      book()?.setCustomMetadata({ ...book()?.getCustomMetadata(), [heatSetting]: JSON.stringify(areas) });
    },
  };
}

function isWithin({ row, col, rows, cols }: Rectangle, atRow: number, atCol: number): boolean {
  return atRow >= row && atRow < row + rows && atCol >= col && atCol < col + cols;
}

/** What the workbook's data keeps for a sheet. */
export function heatFormats(grid: Grid, sheetId: string): ConditionalFormat[] {
  const areas = savedAreas(grid.api.getActiveWorkbook()?.getCustomMetadata()?.[heatSetting]);
  return areas
    .filter((each) => each.sheetId === sheetId)
    .map(({ row, col, rows, cols, colors }) => ({
      areas: [{ row, col, rows, cols }],
      rule: { kind: "heat", colors },
    }));
}

/** What cannot be read has no colours. */
function savedAreas(saved: unknown): SavedHeat[] {
  const read = typeof saved === "string" ? parsedJson(saved) : [];
  return Array.isArray(read) ? read.filter(isSavedHeat) : [];
}

function isSavedHeat(value: unknown): value is SavedHeat {
  if (typeof value !== "object" || value === null) return false;
  const { sheetId, row, col, rows, cols, colors } = value as Partial<Record<keyof SavedHeat, unknown>>;
  const isPlaced = [row, col, rows, cols].every((each) => Number.isInteger(each));
  return typeof sheetId === "string" && isPlaced && Array.isArray(colors) && colors.length === 3;
}
