/**
 * The date of the browser tests. The demo sells every second, and its histories restart each day (UTC), so two answers
 * are comparable only if nothing happens between them. The tests move servers and pages to a moment after which nothing
 * that they compare happens for two hours. From there, time passes at its usual rate.
 * The moment is far in the future: Chromium's own clock is not moved, and it deletes cookies that expire in its past.
 */
export const movedTo = Date.parse("2036-11-19T11:30:00Z");

const variable = "INV_TEST_MOVED_BY_MS";

/** Moves the servers and pages that tests start after this call. */
export function moveTests(): void {
  process.env[variable] = String(movedTo - Date.now());
}

/** Milliseconds by which the date is moved; 0 if `moveTests` was not called. */
export function movedByMs(): number {
  return Number(process.env[variable] ?? 0);
}

/** Arguments for a Node process that move its date too. */
export function movedArguments(): string[] {
  const moved = encodeURIComponent(`(${String(moveDate)})(${movedByMs()})`);
  return movedByMs() === 0 ? [] : ["--import", `data:text/javascript,${moved}`];
}

/** Runs in the page or the server, so it can't use anything outside the function. */
export function moveDate(byMs: number): void {
  const real = Date;
  const now = real.now.bind(real);
  real.now = () => now() + byMs;
  globalThis.Date = new Proxy(real, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, made) as object,
  });
}
