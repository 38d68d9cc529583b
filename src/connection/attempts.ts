/**
 * Attempts to connect, of which only the latest counts. An earlier attempt is cancelled when a person chooses
 * again, forgets the credentials or leaves the form. Invariant: a cancelled attempt sends and changes nothing
 * more, even if it ends late.
 */
import { InvError } from "../domain/errors";

export interface ConnectionAttempt {
  /** Settles as the promise does, or rejects with `cancelled` as soon as the attempt is cancelled. */
  unlessCancelled<T>(promise: Promise<T>): Promise<T>;
  /**
   * Runs the work synchronously, so that nothing else can run in between. Throws `cancelled` if the attempt
   * was cancelled.
   */
  commit<T>(work: () => T): T;
  end(): void;
}

export interface Attempts {
  /** Begins an attempt and cancels the current one, unless the new attempt's signal has already cancelled it. */
  begin(environmentId: string, signal?: AbortSignal): ConnectionAttempt;
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
      const own = { environmentId, control: new AbortController() };
      const cancel = (): void => own.control.abort();
      if (signal?.aborted) {
        cancel();
      } else {
        current?.control.abort();
        current = own;
      }
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
