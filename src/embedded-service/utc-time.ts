/** Times on the wire: UTC to the second, without a zone suffix, as in the document's samples. */

/** Milliseconds since 1970 as `YYYY-MM-DDTHH:MM:SS`. */
export function utcTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19);
}
