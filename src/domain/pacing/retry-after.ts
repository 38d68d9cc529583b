/**
 * The Retry-After header: seconds, or an HTTP date. A date is measured against the answer's own Date
 * header, both being of the service's clock, so that a wrong clock on the user's machine does no harm.
 */

/** How long to wait, in milliseconds; null where the header is absent or says nothing usable. */
export function readRetryAfterMs(retryAfter: string | null, date: string | null): number | null {
  const value = retryAfter?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const untilMs = httpDateMs(value);
  const sentMs = httpDateMs(date);
  return untilMs === null || sentMs === null ? null : Math.max(0, untilMs - sentMs);
}

function httpDateMs(text: string | null): number | null {
  // Date.parse would also take "1" or "-5"; an HTTP date begins with the name of its day.
  if (text === null || !/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
