/**
 * Anchors over a workbook's other verbs, for hosts in which nobody else changes anything between a read and the write
 * that follows it in the same turn: the browser workbook.
 */
import { cellKey, isSameArea } from "./addresses";
import { bySheet, mergeCells } from "./cell-areas";
import type { Anchor, AnchoredCells, Area, CellContent, CellRef, HeldCell, NewCell, Workbook } from "./port";
import { references } from "../formula/references";

type Verbs = Pick<
  Workbook,
  "names" | "read" | "contents" | "numberFormats" | "write" | "writeText" | "format"
>;

export function anchoredByNames(verbs: () => Verbs): Pick<Workbook, "anchoredCells" | "exchange"> {
  async function locate(anchors: readonly Anchor[]): Promise<readonly (Area | null)[]> {
    const names = new Map(
      (await verbs().names()).map((each) => [`${each.name}\n${each.sheet ?? ""}`, each.formula]),
    );
    return anchors.map(({ name, sheet }) => {
      const [area] = references(names.get(`${name}\n${sheet ?? ""}`) ?? "").cells;
      return area === undefined || area.sheet === null ? null : { ...area, sheet: area.sheet };
    });
  }

  async function held(area: Area): Promise<HeldCell[][]> {
    const [formulas, contents, formats] = await Promise.all([
      verbs().read(area, "formulas"),
      verbs().contents(area),
      verbs().numberFormats(area),
    ]);
    return contents.map((line, r) =>
      line.map((content, c) => {
        const formula = formulas[r]?.[c];
        return {
          formula:
            typeof formula === "string" && formula.startsWith("=") && formula !== content ? formula : null,
          content,
          numberFormat: formats[r]?.[c] ?? "General",
        };
      }),
    );
  }

  return {
    async anchoredCells(anchors) {
      const areas = await locate(anchors);
      return Promise.all(
        areas.map(async (block): Promise<AnchoredCells | null> =>
          block === null ? null : { block, cells: await held(block) },
        ),
      );
    },
    async exchange({ writes, beside }) {
      const blocks = await locate(writes.map(({ anchor }) => anchor));
      const isInPlace = writes.every(({ block }, index) => isSameArea(blocks[index] ?? null, block));
      if (!isInPlace) throw new Error("A block was moved or resized.");
      const before = await Promise.all(writes.map(({ area }) => held(area)));
      const read = await Promise.all(beside.map((area) => verbs().read(area, "formulas")));
      const changes = writes.flatMap(({ area, cells }) =>
        cells.flatMap((line, r) =>
          line.flatMap((to, c) =>
            to === null ? [] : [{ ref: { sheet: area.sheet, row: area.row + r, col: area.col + c }, to }],
          ),
        ),
      );
      await writeEach(verbs(), changes);
      return { writes: before, beside: read };
    },
  };
}

interface Change {
  readonly ref: CellRef;
  readonly to: NewCell;
}

/** Values before formulas: what a formula spills over is empty by then. */
async function writeEach(verbs: Verbs, changes: readonly Change[]): Promise<void> {
  const formats = new Set(changes.flatMap(({ to }) => to.numberFormat ?? []));
  for (const numberFormat of formats) {
    const cells = changes.filter(({ to }) => to.numberFormat === numberFormat);
    for (const area of areasOf(cells)) await verbs.format(area, { numberFormat });
  }
  const values = changes.filter(({ to }) => to.formula === null);
  await write(
    values,
    ({ content }) => content,
    (area, cells) => verbs.writeText(area, cells),
  );
  const formulas = changes.filter(({ to }) => to.formula !== null);
  await write(
    formulas,
    ({ formula }) => formula,
    (area, cells) => verbs.write(area, cells),
  );
}

async function write<Content extends CellContent>(
  changes: readonly Change[],
  contentOf: (to: NewCell) => Content,
  put: (area: Area, cells: Content[][]) => Promise<void>,
): Promise<void> {
  const byCell = new Map(changes.map(({ ref, to }) => [cellKey(ref), contentOf(to)]));
  for (const area of areasOf(changes)) {
    const cells = Array.from({ length: area.rows }, (_, r) =>
      Array.from(
        { length: area.cols },
        (_unused, c) => byCell.get(cellKey({ ...area, row: area.row + r, col: area.col + c })) as Content,
      ),
    );
    await put(area, cells);
  }
}

function areasOf(changes: readonly Change[]): readonly Area[] {
  return [...bySheet(changes.map(({ ref }) => ref))].flatMap(([sheet, refs]) =>
    mergeCells(refs).map((block) => ({ sheet, ...block })),
  );
}
