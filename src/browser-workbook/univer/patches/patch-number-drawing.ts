/**
 * Private: `Font._renderText`. The grid cuts off numbers that are too wide for their column, and 12345678905 then reads as
 * 123456789, an item number. Here, as in Excel, a number without a format loses decimals, and one that still doesn't fit
 * shows as ####. Also as in Excel, a cell shows the beginning of a long text: the grid measures every beginning of a word, and the
 * page doesn't survive a word of 32,767 letters. Only the drawing changes, not the cell, its text or a copy of it. A listener is
 * called for each number that shows as ####, because its column may be widened.
 */
import { CellValueType, type Worksheet, WrapStrategy } from "@univerjs/core";
import { Font, FontCache } from "@univerjs/preset-sheets-core";
import type { CutNumber } from "../styles/shown-numbers";
import { replaceMember } from "./replace-member";
import { fittedNumber } from "../styles/fitted-number";

/** The grid's own padding. */
const usualPaddingPx = { l: 2, r: 2 };
/** Characters, as in Excel. */
const maxShownText = 1_024;
/** Excel leaves about as much when it widens a column. */
const besideNumberPx = 6;

interface DrawnCell {
  readonly v?: unknown;
  readonly t?: number | null;
}

interface DrawnFont {
  readonly fontString: string;
  readonly wrapStrategy?: WrapStrategy;
  readonly vertexAngle?: number;
  readonly style?: {
    readonly pd?: { readonly l?: number; readonly r?: number } | null;
    readonly n?: { readonly pattern?: string } | null;
  } | null;
  readonly cellData?: DrawnCell | null;
}

/** The data from which the grid draws a cell's text. */
interface DrawContext {
  readonly startX: number;
  readonly endX: number;
  readonly spreadsheetSkeleton: { readonly worksheet: Worksheet };
  fontCache?: DrawnFont | null;
}

type DrawText = (
  ...args: [ctx: unknown, row: number, col: number, context: DrawContext, overflow: unknown]
) => void;

/**
 * Applies to all grids of the page.
 * @param numberIsCut called at each drawing of a number that shows as ####
 */
export function patchNumberDrawing(numberIsCut: (number: CutNumber) => void): void {
  const drawing = Font.prototype as unknown as { _renderText: DrawText };
  const draw = drawing._renderText;
  replaceMember(drawing, { of: "Font", member: "_renderText" }, () => drawFitted);
  function drawFitted(this: unknown, ...args: Parameters<DrawText>): void {
    const [, row, col, context] = args;
    const font = context.fontCache;
    const fitted = !font ? null : fittedCell(font, context.endX - context.startX);
    if (!font || fitted === null) {
      draw.apply(this, args);
      return;
    }
    if (isNumber(fitted) && String(fitted.v).startsWith("#")) {
      numberIsCut({ sheet: context.spreadsheetSkeleton.worksheet, row, col, widthPx: fittingWidthPx(font) });
    }
    context.fontCache = { ...font, cellData: fitted };
    draw.apply(this, args);
    context.fontCache = font;
  }
}

/** The cell to draw instead; null if the text can be drawn, or the number fits. */
function fittedCell(font: DrawnFont, cellWidthPx: number): DrawnCell | null {
  const { cellData: cell, fontString, vertexAngle = 0, wrapStrategy } = font;
  if (typeof cell?.v === "string" && cell.v.length > maxShownText) {
    return { ...cell, v: cell.v.slice(0, maxShownText) };
  }
  if (!cell || !isNumber(cell) || vertexAngle !== 0 || wrapStrategy === WrapStrategy.WRAP) return null;
  const widthPx = cellWidthPx - paddingPx(font);
  const text = String(cell.v);
  // A number with a format arrives as formatted text, and one without in the reader's convention.
  const isPlain = (font.style?.n?.pattern ?? "General") === "General";
  const shown = fittedNumber(
    text,
    isPlain,
    (one) => FontCache.getMeasureText(one, fontString).width <= widthPx,
  );
  // It stays a number, so that it is aligned right.
  return shown === text ? null : { ...cell, v: shown, t: CellValueType.NUMBER };
}

function paddingPx({ style }: DrawnFont): number {
  const { l = usualPaddingPx.l, r = usualPaddingPx.r } = style?.pd ?? {};
  return l + r;
}

/** The width of a column in which the cell's text fits. */
function fittingWidthPx(font: DrawnFont): number {
  const textPx = FontCache.getMeasureText(String(font.cellData?.v), font.fontString).width;
  return Math.ceil(textPx) + paddingPx(font) + besideNumberPx;
}

function isNumber({ v: value, t: type }: DrawnCell): boolean {
  if (value === undefined || value === null || value === "") return false;
  return type === CellValueType.NUMBER || ((type ?? null) === null && typeof value === "number");
}
