/**
 * Numbers that do not fit their column. The grid cuts them off, and 12345678905 then reads as 123456789, an
 * item number. Here as in Excel: a number without a format gives up decimals, and one that still does not
 * fit shows as ####. Only the drawing changes; the cell, its text and what is copied stay.
 */
import { CellValueType, WrapStrategy } from "@univerjs/core";
import { Font, FontCache } from "@univerjs/preset-sheets-core";
import { fittedNumber } from "./fitted-number";

/** Room beside the text, as the grid leaves it. */
const usualPaddingPx = { l: 2, r: 2 };

interface DrawnCell {
  readonly v?: unknown;
  readonly t?: number | null;
}

interface DrawnFont {
  readonly fontString: string;
  readonly wrapStrategy?: WrapStrategy;
  readonly vertexAngle?: number;
  readonly style?: { readonly pd?: { readonly l?: number; readonly r?: number } | null } | null;
  readonly cellData?: DrawnCell | null;
}

/** What the grid draws one cell's text from. */
interface DrawContext {
  readonly startX: number;
  readonly endX: number;
  fontCache?: DrawnFont | null;
}

type DrawText = (
  ...given: [ctx: unknown, row: number, col: number, context: DrawContext, overflow: unknown]
) => void;

/** Once for all grids of the page. */
export function fitNumbersToColumns(): void {
  const drawing = Font.prototype as unknown as { _renderText: DrawText };
  const draw = drawing._renderText;
  drawing._renderText = function (this: unknown, ...given: Parameters<DrawText>) {
    const context = given[3];
    const font = context.fontCache;
    const fitted = !font ? null : fittedCell(font, context.endX - context.startX);
    if (!font || fitted === null) {
      draw.apply(this, given);
      return;
    }
    context.fontCache = { ...font, cellData: fitted };
    draw.apply(this, given);
    context.fontCache = font;
  };
}

/** The cell as it is drawn instead; null where it fits, or is no number. */
function fittedCell(font: DrawnFont, cellWidthPx: number): DrawnCell | null {
  const { cellData: cell, fontString, vertexAngle = 0, wrapStrategy } = font;
  if (!cell || !isNumber(cell) || vertexAngle !== 0 || wrapStrategy === WrapStrategy.WRAP) return null;
  const { l = usualPaddingPx.l, r = usualPaddingPx.r } = font.style?.pd ?? {};
  const widthPx = cellWidthPx - l - r;
  const text = String(cell.v);
  // With a number format the value comes as the text it makes.
  const isPlain = typeof cell.v === "number";
  const shown = fittedNumber(
    text,
    isPlain,
    (one) => FontCache.getMeasureText(one, fontString).width <= widthPx,
  );
  // Still a number, so that it stands at the right.
  return shown === text ? null : { ...cell, v: shown, t: CellValueType.NUMBER };
}

function isNumber({ v: value, t: type }: DrawnCell): boolean {
  if (value === undefined || value === null || value === "") return false;
  return type === CellValueType.NUMBER || ((type ?? null) === null && typeof value === "number");
}
