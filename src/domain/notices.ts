/**
 * Subscriptions, the same everywhere in INV. A source is a value that notifies its subscribers at once. What changes in bursts of
 * thousands notifies at most about ten times a second, because pages draw no more often.
 * Invariants: every listener gets every notice until it is removed, even if listeners before it throw. A listener that was added
 * twice is called twice, and each registration is removed separately.
 */

export interface Notices<What = void> {
  tell(what: What): void;
  /** Returns the unsubscribe function. */
  subscribe(listener: (what: What) => void): () => void;
}

export function createNotices<What = void>(): Notices<What> {
  const listeners = new Set<(what: What) => void>();
  return {
    tell(what) {
      const thrown: unknown[] = [];
      for (const listener of [...listeners]) {
        try {
          // An earlier listener may have removed it.
          if (listeners.has(listener)) listener(what);
        } catch (error) {
          thrown.push(error);
        }
      }
      if (thrown.length > 0) throw thrown[0];
    },
    subscribe(listener) {
      const subscription = (what: What): void => listener(what);
      listeners.add(subscription);
      return () => listeners.delete(subscription);
    },
  };
}

export interface Observable<T> {
  get(): T;
  /** Calls the listener after every change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export interface WritableObservable<T> extends Observable<T> {
  set(value: T): void;
}

export function createObservable<T>(initial: T): WritableObservable<T> {
  const notices = createNotices();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      value = next;
      notices.tell();
    },
    subscribe: (listener) => notices.subscribe(listener),
  };
}

const leastGapMs = 100;

interface Timers {
  setTimeout(callback: () => void, waitMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface ChangeNotices {
  changed(): void;
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

/**
 * Notifies from a timer, so that a listener that throws can't stop the work that it follows. After the last change there is
 * always one notice. Without listeners no timer runs.
 */
export function createChangeNotices(timers: Timers): ChangeNotices {
  const notices = createNotices();
  let listening = 0;
  let isDue = false;
  let timer: unknown = null;

  function tell(): void {
    isDue = false;
    notices.tell();
  }

  return {
    changed() {
      if (isDue || listening === 0) return;
      isDue = true;
      timer = timers.setTimeout(tell, leastGapMs);
    },
    subscribe(listener) {
      let stop: (() => void) | null = notices.subscribe(listener);
      listening++;
      return () => {
        if (stop === null) return;
        stop();
        stop = null;
        listening--;
        if (listening > 0) return;
        timers.clearTimeout(timer);
        isDue = false;
      };
    },
  };
}
