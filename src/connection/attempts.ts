/**
 * Attempts to connect, of which only the latest counts. An earlier attempt is cancelled when a person chooses
 * again, forgets the credentials or leaves the form. Invariant: a cancelled attempt sends and changes nothing
 * more, even if it ends late.
 */
import { InvError } from "../domain/errors";

export type ConnectionAttempt = ReturnType<ReturnType<typeof createAttempts>["begin"]>;

export function createAttempts() {
  let current: { readonly environmentId: string; readonly control: AbortController } | null = null;

  function leave(attempt: typeof current): void {
    if (current === attempt) current = null;
  }

  return {
    /** Begins an attempt and cancels the current one. The signal also cancels the new attempt. */
    begin(environmentId: string, signal?: AbortSignal) {
      const attempt = { environmentId, control: new AbortController() };
      const cancel = (): void => attempt.control.abort();
      if (signal?.aborted) {
        cancel();
      } else {
        current?.control.abort();
        current = attempt;
      }
      signal?.addEventListener("abort", cancel);
      return {
        /** Settles as the promise does, or rejects with `cancelled` as soon as the attempt is cancelled. */
        unlessCancelled: <T>(promise: Promise<T>) => unlessAborted(promise, attempt.control.signal),
        /** Runs the work in the same turn. Throws `cancelled` if the attempt was cancelled. */
        commit<T>(work: () => T): T {
          if (attempt.control.signal.aborted) throw cancelled();
          leave(attempt);
          return work();
        },
        end(): void {
          signal?.removeEventListener("abort", cancel);
          leave(attempt);
        },
      };
    },
    cancel(environmentId: string): void {
      if (current?.environmentId === environmentId) current.control.abort();
    },
    isUnderWay: () => current !== null && !current.control.signal.aborted,
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(cancelled());
    if (signal.aborted) refuse();
    signal.addEventListener("abort", refuse, { once: true });
    promise.then(resolve, reject);
  });
}

function cancelled(): InvError {
  return new InvError("cancelled", "Another choice was made before this one took effect.");
}
