/** Days as the grid counts them, from 1900. */

const dayMs = 86_400_000;
/** Of 1970. */
const firstDay = 25_569;

/** Of `2026-11-22` or `2026-11-22T10:30:00`; null for another text. */
export function serialOf(text: string): number | null {
  const isWhole = text.length <= 10 || /[Z+]/.test(text.slice(10));
  const ms = Date.parse(isWhole ? text : `${text}Z`);
  return Number.isFinite(ms) ? ms / dayMs + firstDay : null;
}
