/**
 * A value with listeners: the smallest state holder that the pane, and anyone else, can follow.
 */

/** A value that changes: read it now, and be told when to read it again. */
export interface Source<T> {
  get(): T;
  /** Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

export interface WritableSource<T> extends Source<T> {
  set(value: T): void;
}

/** Listeners are told after each `set`, in the order they came. */
export function createSource<T>(initial: T): WritableSource<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
