/** Times on the wire: `YYYY-MM-DDTHH:MM:SS` in UTC, without a zone suffix, as in the document's samples. */

export function utcTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19);
}
