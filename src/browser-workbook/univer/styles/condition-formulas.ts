/** Conditions of a cell among those of areas, as formulas without `=`. Areas have fixed addresses. Pure. */

/** It is filled, and what it holds is there more than once, or once. */
export function counted(cell: string, areas: readonly string[], times: ">1" | "=1"): string {
  const count = areas.map((area) => `COUNTIF(${area},${cell})`).join("+");
  return `AND(NOT(ISBLANK(${cell})),${count}${times})`;
}

export interface Rank {
  /** So many of them, or so many of a hundred. */
  readonly most: number;
  readonly isPercent: boolean;
  readonly isBottom: boolean;
}

/** It is one of the highest or lowest numbers. */
export function ranked(cell: string, areas: readonly string[], { most, isPercent, isBottom }: Rank): string {
  const among = areas.length === 1 ? (areas[0] ?? "") : `(${areas.join(",")})`;
  const count = `COUNT(${areas.join(",")})`;
  const last = isPercent ? `MAX(1,INT(${count}*${most}/100))` : `MIN(${most},${count})`;
  const isWithin = isBottom ? `${cell}<=SMALL(${among},${last})` : `${cell}>=LARGE(${among},${last})`;
  return `AND(ISNUMBER(${cell}),${isWithin})`;
}
