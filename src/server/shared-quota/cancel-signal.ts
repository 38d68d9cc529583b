/**
 * Says that nobody wants an answer any more. Its readers need only this part of an AbortSignal, so they accept one too.
 * A call makes two signals with four listeners, and Node's own events would cost more than the rest of the call's way
 * through this room.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  /** The listener is called once. It isn't called if the signal was aborted before. */
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface Cancel {
  readonly signal: CancelSignal;
  cancel(): void;
}

export function createCancel(): Cancel {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener(_type, listener) {
        if (!aborted) listeners.add(listener);
      },
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    cancel() {
      aborted = true;
      for (const listener of listeners) {
        listeners.delete(listener);
        listener();
      }
    },
  };
}
