/** The colour of a number among others: between those of the lowest, the middle (median) and the highest. Pure. */

export type HeatColors = readonly [low: string, middle: string, high: string];

export interface HeatScale {
  readonly lowest: number;
  readonly median: number;
  readonly highest: number;
}

/** Null where there is no number. */
export function heatScale(values: readonly unknown[]): HeatScale | null {
  const numbers = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const [lowest] = numbers;
  const highest = numbers.at(-1);
  const median = numbers[Math.floor((numbers.length - 1) / 2)];
  if (lowest === undefined || highest === undefined || median === undefined) return null;
  return { lowest, median, highest };
}

/** `#rrggbb`, as the three colours are given. */
export function heatColor(value: number, { lowest, median, highest }: HeatScale, colors: HeatColors): string {
  const [low, middle, high] = colors;
  if (value <= median) return mixed(low, middle, part(value - lowest, median - lowest));
  return mixed(middle, high, part(value - median, highest - median));
}

/** Where all are equal, they are in the middle. */
function part(above: number, range: number): number {
  return range <= 0 ? 1 : Math.min(1, Math.max(0, above / range));
}

function mixed(from: string, to: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((color) => parseInt(color.slice(at, at + 2), 16));
    return Math.round((a ?? 0) + ((b ?? 0) - (a ?? 0)) * share);
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
