/** Counts what a file has and the grid does not show, for the list that the person is shown. */

export interface LeftBehind {
  /** @param one and @param many in words, without a number; with `many` left out the thing is not counted */
  add(one: string, many?: string, count?: number): void;
  list(): readonly string[];
}

export function createLeftBehind(): LeftBehind {
  const counts = new Map<string, { count: number; many: string | undefined }>();
  return {
    add(one, many, count = 1) {
      if (count <= 0) return;
      counts.set(one, { count: (counts.get(one)?.count ?? 0) + count, many });
    },
    list: () =>
      [...counts].map(([one, { count, many }]) =>
        many === undefined ? one : `${count.toLocaleString("en")} ${count === 1 ? one : many}`,
      ),
  };
}

/** Elements of a sheet that the grid doesn't show, in words: one, and several. Without the second they aren't counted. */
export const unshownElements: ReadonlyMap<string, readonly [one: string, many?: string]> = new Map([
  // Newer Excels write some of them twice.
  ["cfRule", ["conditional formats"]],
  ["dataValidation", ["rule for what may be typed", "rules for what may be typed"]],
  ["hyperlink", ["link (its text stands)", "links (their texts stand)"]],
  ["autoFilter", ["filter", "filters"]],
  ["sheetProtection", ["sheet's protection", "sheets' protections"]],
  ["sparklineGroup", ["group of sparklines", "groups of sparklines"]],
  ["oleObject", ["embedded object", "embedded objects"]],
  ["control", ["control", "controls"]],
]);
