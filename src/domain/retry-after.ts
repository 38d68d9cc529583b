/**
 * Reads a Retry-After header in milliseconds: seconds, or an HTTP date, which is compared with the response's own Date header,
 * because both come from the service's clock. Of several headers, which arrive as a list of seconds, the longest wait counts.
 * Returns null if the header is missing or unusable.
 */
export function readRetryAfterMs(retryAfter: string | null, date: string | null): number | null {
  const value = retryAfter?.trim() ?? "";
  const parts = value.split(",").map((part) => part.trim());
  if (parts.every((part) => /^\d+(\.\d+)?$/.test(part))) {
    return Math.ceil(Math.max(...parts.map(Number)) * 1000);
  }
  const untilMs = httpDateMs(value);
  const sentMs = httpDateMs(date);
  return untilMs === null || sentMs === null ? null : Math.max(0, untilMs - sentMs);
}

function httpDateMs(text: string | null): number | null {
  // Date.parse would also accept "1" or "-5". An HTTP date begins with the name of its day.
  if (text === null || !/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
