/** Converts a color to the eight digits of .xlsx files. Color names and other notations give null. */

export function toArgb(color: string): string | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  if (short !== null) {
    const doubled = short.slice(1).map((digit) => digit + digit);
    return toArgb(`#${doubled.join("")}`);
  }
  const six = /^#?([0-9a-f]{6})$/i.exec(color)?.[1];
  if (six !== undefined) return `FF${six.toUpperCase()}`;
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/i.exec(color)?.slice(1);
  if (parts === undefined) return null;
  const hex = parts.map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0"));
  return `FF${hex.join("").toUpperCase()}`;
}
