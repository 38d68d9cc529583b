/**
 * A template: one sheet as data (`*.inv.json`), which the add-in builds into the open workbook. It contains formulas, constants,
 * styles and notes, but no values and no secrets, so that people can mail and publish it. It comes from outside, so its sizes are
 * limited to sheets that a person reads.
 *
 * A cell may be `{store-name}` or `{item-name}`: a name from the column beside a list. Without names, the column is left out; a
 * row of a block is empty.
 * Texts and formulas may contain placeholders: `{store}` and `{item}` (of the row, or of the first pair),
 * `{row}`, `{first}` and `{last}` (row numbers of the table), the id of a table's column (its letter),
 * `{beside}` (letter of the second column beside the table), `{stores}` and `{items}` (the grid's ranges).
 */
import * as z from "../zod";

export const templateEnding = ".inv.json";
export const mostTemplateCharacters = 256_000;
export const mostHighlights = 100;
const longestNote = 500;
export const mostNotes = 200;

const color = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, "must be a colour such as #1f3a5f"));
const content = z.union([
  z.string().check(z.maxLength(8_192, "is longer than a cell allows")),
  z.number(),
  z.boolean(),
  z.null(),
]);
const at = z.string().check(z.regex(/^[A-Z]{1,2}[1-9]\d{0,4}$/, "must be a cell such as B2"));
const area = z
  .string()
  .check(z.regex(/^[A-Z]{1,2}[1-9]\d{0,4}(:[A-Z]{1,2}[1-9]\d{0,4})?$/, "must be an area such as B2:C5"));
const id = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and dashes"));
/** Text without marks that nobody sees and that may show it as another text. Line breaks are seen. */
const visible = (longest: number) =>
  z
    .string()
    .check(
      z.regex(/\S/u, "is empty"),
      z.maxLength(longest, `is longer than ${longest} characters`),
      z.regex(/^(?:(?!\p{Bidi_Control})[\P{Cc}\n])*$/u, "contains a control or direction mark"),
    );
/**
 * Text that people only read: headers, titles, notes. A spreadsheet may take text that begins with one of these signs, also of full
 * width, for a formula.
 */
const text = (longest: number) =>
  visible(longest).check(
    z.regex(/^(?!\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/u, "must not begin with =, +, - or @"),
  );
export const noteText = text(longestNote);
/** May begin with `+`, `-` and `@`, as `+0;-0` and Excel's format for text do. */
const numberFormat = visible(255).check(z.regex(/^(?!\s*[=\uff1d])/u, "must not begin with ="));
/** Checked as the formulas of cells are. */
const formula = (longest: number) =>
  z
    .string()
    .check(
      z.maxLength(longest, `is longer than ${longest} characters`),
      z.regex(/^=[^]/, "must be a formula, which begins with ="),
    );

const formatFields = {
  /** A style that all sheets of INV share. */
  style: z.optional(z.enum(["header", "label", "input", "note"])),
  numberFormat: z.optional(numberFormat),
  bold: z.optional(z.boolean()),
  fill: z.optional(color),
  color: z.optional(color),
  align: z.optional(z.enum(["left", "center", "right"])),
};

const highlight = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("heat"), colors: z.tuple([color, color, color]) }),
  z.strictObject({ kind: z.literal("bars"), color }),
  z
    .strictObject({
      kind: z.literal("formula"),
      formula: formula(500),
      fill: z.optional(color),
      color: z.optional(color),
    })
    .check(z.refine(({ fill, color }) => fill !== undefined || color !== undefined, "has no colour")),
]);

const block = z.strictObject({
  at,
  rows: z.array(z.array(content).check(z.maxLength(100))).check(z.maxLength(10_000)),
});

const column = z.strictObject({
  id,
  header: text(60),
  cell: content,
  widthPx: z.optional(z.number().check(z.minimum(10), z.maximum(800))),
  ...formatFields,
  note: z.optional(noteText),
  highlight: z.optional(highlight),
  /** Off until the person switches it on, because it costs extra requests. */
  optional: z.optional(z.boolean()),
});

const width = z.number().check(z.minimum(5), z.maximum(800));

const mostBeside = 40;
const beside = z.strictObject({
  rows: z.array(z.array(content).check(z.length(2, "must have two cells"))).check(z.maxLength(mostBeside)),
  widthsPx: z.tuple([width, width]),
  cellFormats: z
    .array(
      z.strictObject({
        row: z.int().check(z.minimum(1), z.maximum(mostBeside)),
        col: z.enum(["both", "first", "second"]),
        ...formatFields,
      }),
    )
    .check(z.maxLength(10 * mostBeside)),
});

export const templateShape = z.strictObject({
  format: z.literal("inv-template", 'must be "inv-template"'),
  version: z.literal(1, "must be 1: the file is from another INV"),
  id,
  title: text(60),
  summary: text(200),
  /** What the person chooses: pairs of store and item, stores and items to combine, one pair, or nothing. */
  needs: z.enum(["pairs", "grid", "pair", "nothing"]),
  /** Id of its environment. */
  environment: z.optional(z.nullable(text(32))),
  sheet: z.strictObject({
    name: text(31),
    frozenRows: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
    frozenCols: z.optional(z.number().check(z.minimum(0), z.maximum(20))),
    widthsPx: z.optional(z.array(width).check(z.maxLength(100))),
    select: z.optional(at),
  }),
  blocks: z.optional(z.array(block).check(z.maxLength(2_000, "has more than 2,000 groups of cells"))),
  /** A table from A1: headers, then one row per pair. */
  table: z.optional(
    z.strictObject({
      name: z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,60}$/, "must be a name without spaces")),
      columns: z.array(column).check(z.minLength(1), z.maxLength(60)),
      /** Colours of whole columns; they apply before a column's own. A formula is that of the row `{row}`. */
      highlights: z.optional(
        z
          .array(z.strictObject({ columns: z.array(id).check(z.minLength(1)), rule: highlight }))
          .check(z.maxLength(mostHighlights)),
      ),
      /** Two columns beside the table, after a free one, with facts about the whole sheet. */
      beside: z.optional(beside),
    }),
  ),
  /** Stores down, items across, and one formula that fills the grid. */
  grid: z.optional(
    z.strictObject({
      at,
      /** Whether names from beside lists are shown: items' above the items, stores' in a column before the grid. */
      names: z.optional(z.boolean()),
      formula: formula(8_192),
      highlights: z.optional(z.array(highlight).check(z.maxLength(mostHighlights))),
      ...formatFields,
    }),
  ),
  cellFormats: z.optional(z.array(z.strictObject({ area, ...formatFields })).check(z.maxLength(2_000))),
  notes: z.optional(z.array(z.strictObject({ at, text: noteText })).check(z.maxLength(mostNotes))),
  highlights: z.optional(
    z.array(z.strictObject({ area, rule: highlight })).check(z.maxLength(mostHighlights)),
  ),
  chart: z.optional(
    z.strictObject({
      kind: z.enum(["column", "line"]),
      title: text(80),
      data: area,
      over: area,
      /** Bars in these cells if the host has no charts. */
      otherwise: z.strictObject({ area, color }),
    }),
  ),
});

export type Template = z.infer<typeof templateShape>;

/**
 * What each value of `needs` means: the part that is made for all rows, which only such a template has; whether a person gives rows at all;
 * and whether blocks may contain the first pair.
 */
export const needsFacts: Readonly<
  Record<
    Template["needs"],
    { readonly part: "table" | "grid" | null; readonly takesRows: boolean; readonly fillsBlocks: boolean }
  >
> = {
  pairs: { part: "table", takesRows: true, fillsBlocks: false },
  grid: { part: "grid", takesRows: true, fillsBlocks: false },
  pair: { part: null, takesRows: true, fillsBlocks: true },
  nothing: { part: null, takesRows: false, fillsBlocks: false },
};
export type TemplateContent = z.infer<typeof content>;
export type TemplateColumn = z.infer<typeof column>;
export type TemplateFormat = Omit<z.infer<z.ZodMiniObject<typeof formatFields>>, never>;
