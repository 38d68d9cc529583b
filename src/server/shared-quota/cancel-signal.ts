/**
 * Word that somebody no longer wants an answer. It has what its readers need of an AbortSignal, so that one of those
 * will do as well; but a call makes two of them and is listened for at four places, where Node's events would cost
 * more than the rest of its way through the company.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  /** Called once, when it happens; not when it has happened before. */
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
