/**
 * Attempts to connect, of which only the latest counts. A person who chooses again, forgets the credentials or leaves the form
 * cancels the earlier attempt. Invariant: a cancelled attempt sends and changes nothing more, however late it ends.
 */
import { InvError } from "../domain/errors";

export interface ConnectionAttempt {
  /** Settles as the promise does, or rejects with `cancelled` as soon as the attempt is cancelled. */
  unlessCancelled<T>(promise: Promise<T>): Promise<T>;
  /** Runs the work at once, so that nothing can come between. Throws `cancelled` if the attempt was cancelled. */
  commit<T>(work: () => T): T;
  end(): void;
}

export interface Attempts {
  /** Begins an attempt and cancels the one under way. The signal cancels it too. */
  begin(environmentId: string, signal?: AbortSignal): ConnectionAttempt;
  /** Cancels the attempt under way if it is for this environment. */
  cancel(environmentId: string): void;
  isUnderWay(): boolean;
}

interface UnderWay {
  readonly environmentId: string;
  readonly control: AbortController;
}

export function createAttempts(): Attempts {
  let current: UnderWay | null = null;

  function leave(own: UnderWay): void {
    if (current === own) current = null;
  }

  return {
    begin(environmentId, signal) {
      current?.control.abort();
      const own = { environmentId, control: new AbortController() };
      current = own;
      const cancel = (): void => own.control.abort();
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel);
      return {
        unlessCancelled: (promise) => unlessAborted(promise, own.control.signal),
        commit(work) {
          if (own.control.signal.aborted) throw cancelled();
          leave(own);
          return work();
        },
        end() {
          signal?.removeEventListener("abort", cancel);
          leave(own);
        },
      };
    },
    cancel(environmentId) {
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
