/** Generated formulas as parts, some of them references, so that a simple model knows how they read elsewhere. */
import { columnName, sheetCols, sheetRows } from "../../src/formula/columns";
import { fc } from "../helpers/properties";

export interface Corner {
  readonly row: number;
  readonly col: number;
  readonly isRowFixed: boolean;
  readonly isColFixed: boolean;
}

/** A text, or the corners of a reference. */
type Part = string | { readonly kind: "cells" | "rows" | "cols"; readonly corners: readonly Corner[] };
export type Parts = readonly Part[];

export const corner: fc.Arbitrary<Corner> = fc.record({
  row: fc.oneof(fc.nat(30), fc.nat(sheetRows - 1)),
  col: fc.oneof(fc.nat(30), fc.nat(sheetCols - 1)),
  isRowFixed: fc.boolean(),
  isColFixed: fc.boolean(),
});

const sheet = fc.constantFrom(
  ...[
    "",
    "",
    "",
    "Plan!",
    "Größe!",
    "'My sheet'!",
    "'North|South'!",
    "'It''s (2)'!",
    "'Plan2, A1'!",
    "'INV.QTY(A1)'!",
  ],
);
const reference: fc.Arbitrary<Parts> = fc
  .tuple(sheet, fc.constantFrom("cells", "cells", "rows", "cols"), corner, fc.option(corner), fc.boolean())
  .map(([prefix, kind, first, last, isSpilled]) => {
    const second = last ?? (kind === "cells" ? null : first);
    const isAnchor = kind === "cells" && second === null && isSpilled;
    return [
      prefix,
      { kind, corners: second === null ? [first] : [first, second] } as const,
      isAnchor ? "#" : "",
    ];
  });
const constant: fc.Arbitrary<Parts> = fc
  .oneof(
    fc.string().map((text) => `"${text.replaceAll('"', '""')}"`),
    fc.constantFrom(
      "1",
      "0.5",
      "1.5E+3",
      "TRUE",
      "#N/A",
      "#REF!",
      '{1,2;3,"a"}',
      "Safety_stock",
      "Q1.2024",
      "Items[Qty]",
    ),
    fc.constantFrom("Items[@[Item no.]]", "[@Store]", "Items['#odd]", "TAX2024X", "XFE1", "A1048577", "A1B"),
  )
  .map((text) => [text]);
const functionName = fc.constantFrom(
  ...[
    "SUM",
    "INV.QTY",
    "LOG10",
    "STDEV.S",
    "IFNA",
    "FILTER",
    "XLOOKUP",
    "SORT",
    "AGGREGATE",
    "_xldudf_INV_QTY",
    "Größe",
  ],
);

const { formula } = fc.letrec<{ formula: Parts }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    reference,
    constant,
    fc
      .tuple(functionName, fc.array(tie("formula"), { maxLength: 3 }))
      .map(([name, given]) => [
        `${name}(`,
        ...given.flatMap((each, at) => (at > 0 ? [", ", ...each] : each)),
        ")",
      ]),
    fc
      .tuple(tie("formula"), fc.constantFrom("+", "-", "*", "/", "&", "<>", " = ", "^"), tie("formula"))
      .map(([one, operator, other]) => [...one, operator, ...other]),
    fc
      .tuple(fc.constantFrom("-(", "@(", "("), tie("formula"))
      .map(([opening, inner]) => [opening, ...inner, ")"]),
    fc
      .tuple(fc.constantFrom("x", "qty", "größe"), tie("formula"), tie("formula"))
      .map(([name, value, result]) => [`LET(${name},`, ...value, `,${name}+`, ...result, ")"]),
    fc
      .tuple(fc.constantFrom("v", "menge"), tie("formula"))
      .map(([name, body]) => [`MAP($A$1:$A$9,LAMBDA(${name},${name}*`, ...body, "))"]),
  ),
}));

export const generatedFormula = formula;

/** The formula as it reads so many rows and columns further on; null as the spelling of a reference is #REF!. */
export function printed(parts: Parts, { rows, cols } = { rows: 0, cols: 0 }): string {
  const spell = (part: Part): string => {
    if (typeof part === "string") return part;
    const corners = part.corners.map((each) => spellCorner(part.kind, each, { rows, cols }));
    return corners.includes(null) ? "#REF!" : corners.join(":");
  };
  return `=${parts.map(spell).join("")}`;
}

function spellCorner(
  kind: "cells" | "rows" | "cols",
  { row, col, isRowFixed, isColFixed }: Corner,
  move: { readonly rows: number; readonly cols: number },
): string | null {
  const atRow = isRowFixed ? row : row + move.rows;
  const atCol = isColFixed ? col : col + move.cols;
  const isRowOut = kind !== "cols" && (atRow < 0 || atRow >= sheetRows);
  const isColOut = kind !== "rows" && (atCol < 0 || atCol >= sheetCols);
  if (isRowOut || isColOut) return null;
  const colText = kind === "rows" ? "" : (isColFixed ? "$" : "") + columnName(atCol);
  const rowText = kind === "cols" ? "" : `${isRowFixed ? "$" : ""}${atRow + 1}`;
  return colText + rowText;
}
