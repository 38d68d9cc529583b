/** Names what a file has and the grid doesn't show, for the list that the person sees. */

export const unshownElements: ReadonlyMap<string, string> = new Map([
  ["cfRule", "conditional formats"],
  ["dataValidation", "rules for what may be typed"],
  ["hyperlink", "links (their texts stay)"],
  ["autoFilter", "filters"],
  ["sheetProtection", "protection of sheets"],
  ["sparklineGroup", "sparklines"],
  ["oleObject", "embedded objects"],
  ["control", "controls"],
]);

/** Relation types of such parts, in words. */
export const unshownKinds: ReadonlyMap<string, string> = new Map([
  ["table", "buttons and stripes of tables"],
  ["pivotTable", "pivot tables (their values stay)"],
  ["chart", "charts"],
  ["chartEx", "charts"],
  ["image", "pictures"],
  ["vbaProject", "macros"],
  ["externalLink", "links to other files"],
  ["connections", "connections to data"],
]);

export const leftOutFormulas = {
  outside: "formulas that reach out of the workbook (their values stay)",
  table: "formulas with columns of a table (their values stay)",
  whatIf: "what-if tables (their values stay)",
} as const;
