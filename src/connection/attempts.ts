/**
 * Attempts to connect, of which the latest counts: a person who chooses again, forgets the credentials or
 * turns to something else has given up the attempt before, and it has no effect however late it ends.
 * Invariant: an attempt that was given up neither sends nor changes anything more.
 */
import { InvError } from "../domain/errors";

export interface ConnectionAttempt {
  /** The promise's end, or at once the rejection `cancelled` when the attempt is given up. */
  unlessGivenUp<T>(promise: Promise<T>): Promise<T>;
  /** Runs the work in this turn; throws `cancelled` when the attempt was given up. */
  takingEffect<T>(work: () => T): T;
  /** It has ended, in whatever way. */
  end(): void;
}

export interface Attempts {
  /** Begins one and gives up the one under way; also given up when the signal is aborted. */
  begin(environmentId: string, signal?: AbortSignal): ConnectionAttempt;
  /** Gives up the attempt under way, if it is to this environment. */
  giveUp(environmentId: string): void;
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
      const giveUp = (): void => own.control.abort();
      if (signal?.aborted) giveUp();
      signal?.addEventListener("abort", giveUp);
      return {
        unlessGivenUp: (promise) => unlessAborted(promise, own.control.signal),
        takingEffect(work) {
          if (own.control.signal.aborted) throw givenUp();
          leave(own);
          return work();
        },
        end() {
          signal?.removeEventListener("abort", giveUp);
          leave(own);
        },
      };
    },
    giveUp(environmentId) {
      if (current?.environmentId === environmentId) current.control.abort();
    },
    isUnderWay: () => current !== null && !current.control.signal.aborted,
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(givenUp());
    if (signal.aborted) refuse();
    signal.addEventListener("abort", refuse, { once: true });
    promise.then(resolve, reject);
  });
}

function givenUp(): InvError {
  return new InvError("cancelled", "Another choice was made before this one took effect.");
}
