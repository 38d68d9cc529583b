/**
 * Implements anchors with the other methods of the port. Use it only for a host in which nobody else changes anything between a
 * read and the next write: the browser workbook.
 */
import { cellKey, isSameArea } from "./addresses";
import { mergeCells, rowsOf, visitCells } from "./cell-areas";
import type { Anchor, AnchoredCells, Area, CellRef, CellState, NewCell, Workbook } from "./port";
import { references } from "../formula/references";

type Verbs = Pick<
  Workbook,
  "names" | "read" | "contents" | "numberFormats" | "write" | "writeText" | "format"
>;

export function anchoredByNames(verbs: () => Verbs): Pick<Workbook, "anchoredCells" | "exchange"> {
  async function locate(blocks: readonly (Anchor | Area)[]): Promise<readonly (Area | null)[]> {
    const names = new Map(
      (await verbs().names()).map((each) => [`${each.name}\n${each.sheet ?? ""}`, each.formula]),
    );
    return blocks.map((block) => {
      if ("row" in block) return block;
      const [area] = references(names.get(`${block.name}\n${block.sheet ?? ""}`) ?? "").cells;
      return area === undefined || area.sheet === null ? null : { ...area, sheet: area.sheet };
    });
  }

  async function readStates(area: Area): Promise<CellState[][]> {
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
    async anchoredCells(blocks) {
      const areas = await locate(blocks);
      return Promise.all(
        areas.map(async (block): Promise<AnchoredCells | null> =>
          block === null ? null : { block, cells: await readStates(block) },
        ),
      );
    },
    async exchange({ writes, beside }) {
      const blocks = await locate(writes.map(({ anchor }) => anchor));
      const isInPlace = writes.every(({ block }, index) => isSameArea(blocks[index] ?? null, block));
      if (!isInPlace) throw new Error("A block was moved or resized.");
      const before = await Promise.all(writes.map(({ area }) => readStates(area)));
      const read = await Promise.all(beside.map((area) => verbs().read(area, "formulas")));
      const changes: Change[] = [];
      for (const { area, cells } of writes) {
        visitCells(area, cells, (to, ref) => {
          if (to !== null) changes.push({ ref, to });
        });
      }
      await writeEach(verbs(), changes);
      return { writes: before, beside: read };
    },
  };
}

interface Change {
  readonly ref: CellRef;
  readonly to: NewCell;
}

/** Writes values before formulas, because the cells that a formula fills must be empty by then. */
async function writeEach(verbs: Verbs, changes: readonly Change[]): Promise<void> {
  for (const numberFormat of new Set(changes.flatMap(({ to }) => to.numberFormat ?? []))) {
    const cells = changes.filter(({ to }) => to.numberFormat === numberFormat);
    for (const area of areasOf(cells)) await verbs.format(area, { numberFormat });
  }
  const values = changes.filter(({ to }) => to.formula === null);
  const contents = new Map(values.map(({ ref, to }) => [cellKey(ref), to.content]));
  for (const area of areasOf(values)) await verbs.writeText(area, rowsOf(area, contents));
  const calculated = changes.filter(({ to }) => to.formula !== null);
  const formulas = new Map(calculated.map(({ ref, to }) => [cellKey(ref), to.formula]));
  for (const area of areasOf(calculated)) await verbs.write(area, rowsOf(area, formulas));
}

function areasOf(changes: readonly Change[]): readonly Area[] {
  return mergeCells(changes.map(({ ref }) => ref));
}
