/** Numbers as people read them: with the separators of the reader's system, and with the plural of what they count. */

/** Returns a whole number, 12345 as `12,345` or, on a German system, `12.345`. */
export function count(value: number): string {
  return grouped(Math.round(value));
}

/** Does the same, and keeps the fraction. */
export function grouped(value: number): string {
  return separated(String(value));
}

/** Returns a number as a cell of this number format shows it, if the format has only thousands and decimals. */
export function formatted(value: number, numberFormat: string): string {
  const [, whole = "", decimals = ""] = /^([#,0]+)(?:\.(0+))?$/.exec(numberFormat) ?? [];
  return whole === "" ? grouped(value) : separated(value.toFixed(decimals.length), whole.includes(","));
}

/** Short whole numbers avoid Intl, whose first use costs as much as drawing half the pane. */
function separated(text: string, hasGroups = true): string {
  if (/^-?\d{1,3}$/.test(text)) return text;
  const [, group = ",", decimal = "."] = /^1(\D)234\D567(\D)8$/.exec((1_234_567.8).toLocaleString()) ?? [];
  const [whole = "", fraction] = text.split(".");
  const thousands = hasGroups ? whole.replaceAll(/\B(?=(\d{3})+$)/g, group) : whole;
  return fraction === undefined ? thousands : `${thousands}${decimal}${fraction}`;
}

export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}
