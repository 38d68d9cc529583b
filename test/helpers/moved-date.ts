/**
 * The time of the browser tests. The demo sells by the second, and its histories begin anew each day (UTC): two
 * answers can be compared only while nothing happens between them. So servers and pages are moved to a moment after
 * which nothing happens for two hours to what the tests compare, and their time goes on from there at its usual pace.
 * It is far ahead: Chromium itself is not moved, and throws a cookie away that a moved server lets expire in its past.
 */
export const movedTo = Date.parse("2036-11-19T11:30:00Z");

const variable = "INV_TEST_MOVED_BY_MS";

/** From now on servers and pages that tests start are moved. */
export function moveTests(): void {
  process.env[variable] = String(movedTo - Date.now());
}

/** How far they are moved; 0 where `moveTests` was not called. */
export function movedByMs(): number {
  return Number(process.env[variable] ?? 0);
}

/** Arguments of a Node process that is moved too. */
export function movedArguments(): string[] {
  const moved = encodeURIComponent(`(${String(moveDate)})(${movedByMs()})`);
  return movedByMs() === 0 ? [] : ["--import", `data:text/javascript,${moved}`];
}

/** Runs in the page or the server, on its own: nothing outside it is there. */
export function moveDate(byMs: number): void {
  const real = Date;
  const now = real.now.bind(real);
  real.now = () => now() + byMs;
  globalThis.Date = new Proxy(real, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, made) as object,
  });
}
