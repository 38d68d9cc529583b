/** Promises that nobody waits for. */

/** Prints the promise's failure, because one that nobody catches would end the server. */
export function unawaited(promise: Promise<unknown> | undefined): void {
  // oxlint-disable-next-line no-console -- Such a failure is a mistake in INV, and no caller is left to tell.
  promise?.catch((error: unknown) => console.error(error));
}
