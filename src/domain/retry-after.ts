/**
 * What a Retry-After header says, in milliseconds: seconds, or an HTTP date, which is measured against the answer's own
 * Date header, both being of the service's clock. Null where the header is absent or says nothing usable.
 */
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
