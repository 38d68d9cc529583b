/**
 * Gives blocks of cells hidden names, which the host moves and grows with their cells. Names make a workbook slower to open, so
 * there are at most a thousand. Scattered cells share a block.
 */
import { sheetRows } from "../../formula/columns";
import { references } from "../../formula/references";
import { contains, isSameArea } from "../addresses";
import { bounds, bySheet, mergeCells, runsAround } from "../cell-areas";
import type { Anchor, AnchoredCells, Area, DefinedName, Workbook } from "../port";
import { grouped } from "./grouped";
import { ledgerSheet } from "./ledger-sheets";

const mostNames = 1_000;
/** Rows allowed between cells that share a block. INV tries the smallest number first. */
const gaps = [0, 20, 400, sheetRows];

export interface NamedBlock {
  readonly anchor: Anchor;
  /** The area when INV added the name. */
  readonly block: Area;
}

/** A block with its cells. Its anchor is null if the ledger has no name for it. */
export interface Block extends AnchoredCells {
  readonly anchor: Anchor | null;
}

/** Returns blocks that contain these areas, each area completely in one block. */
export function blocksAround(areas: readonly Area[], names: readonly DefinedName[]): readonly Area[] {
  const namesInUse = names.filter(({ name }) => name.toLowerCase().startsWith(`${ledgerSheet}_`)).length;
  const large = areas.filter(({ rows, cols }) => rows * cols > 1);
  const single = areas.filter(({ rows, cols }) => rows * cols === 1);
  for (const gap of gaps) {
    const blocks = gap === 0 ? mergeCells(single) : runsAround(single, gap);
    if (large.length + blocks.length <= mostNames - namesInUse) return [...large, ...blocks];
  }
  return [...bySheet(areas).values()].map((own) => own.reduce(bounds));
}

function anchorKey({ name, sheet }: Anchor): string {
  return `${name}\n${sheet ?? ""}`;
}

export async function nameBlocks(
  workbook: Workbook,
  blocks: readonly Area[],
  newName: () => string,
): Promise<readonly NamedBlock[]> {
  const names = blocks.map((area) => ({ name: newName(), area }));
  await workbook.addHiddenNames(names);
  return names.map(({ name, area }) => ({ anchor: { name, sheet: null }, block: area }));
}

/** Returns the blocks that are still in place, as far as their names show it. */
export async function blocksInPlace(
  workbook: Workbook,
  blocks: readonly Block[],
): Promise<ReadonlySet<Block>> {
  const formulas = new Map((await workbook.names()).map((each) => [anchorKey(each), each.formula]));
  const isInPlace = ({ anchor, block }: Block): boolean => {
    if (anchor === null) return true;
    const [now] = references(formulas.get(anchorKey(anchor)) ?? "").cells;
    return now !== undefined && isSameArea({ ...now, sheet: now.sheet ?? "" }, block);
  };
  return new Set(blocks.filter(isInPlace));
}

export function blockFinder<B extends { readonly block: Area }>(
  blocks: readonly B[],
): (area: Area) => B | undefined {
  const parts = blocks.flatMap((each) =>
    Array.from({ length: each.block.cols }, (_, col) => ({ each, col: each.block.col + col })),
  );
  const byColumn = grouped(parts, ({ each, col }) => `${col} ${each.block.sheet}`);
  return (area) => {
    const own = byColumn.get(`${area.col} ${area.sheet}`) ?? [];
    const last = { ...area, row: area.row + area.rows - 1, col: area.col + area.cols - 1 };
    return own.find(({ each: { block } }) => contains(block, area) && contains(block, last))?.each;
  };
}

export function randomWord(random: () => number): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join("");
}
