/** Gives blocks of cells hidden names, which the host moves and grows with their cells. */
import type { Anchor, Area, Workbook } from "../port";

/** The beginning of the hidden names. */
export const namePrefix = "_inv";

export interface NamedBlock {
  readonly anchor: Anchor;
  /** The area when INV added the name. */
  readonly block: Area;
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

export function randomWord(random: () => number): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join("");
}
