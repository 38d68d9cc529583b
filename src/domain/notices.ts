/**
 * How INV tells that something has changed. There is one way: who wants to know subscribes, and is given the way to
 * stop. A source is a value that tells at once; what changes in bursts of thousands tells not more than about ten
 * times a second, since screens are drawn only that often.
 * Invariant: each listener hears every notice, whatever those before it throw, until it is stopped; one that was given
 * twice is told twice, and each is stopped alone.
 */

export interface Notices<What = void> {
  tell(what: What): void;
  /** Returns the way to stop. */
  subscribe(listener: (what: What) => void): () => void;
}

/** Told at once, in the order in which they came. */
export function createNotices<What = void>(): Notices<What> {
  const listeners = new Set<(what: What) => void>();
  return {
    tell(what) {
      const thrown: unknown[] = [];
      for (const listener of [...listeners]) {
        try {
          // One before it may have stopped it.
          if (listeners.has(listener)) listener(what);
        } catch (error) {
          thrown.push(error);
        }
      }
      if (thrown.length > 0) throw thrown[0];
    },
    subscribe(listener) {
      const own = (what: What): void => listener(what);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** A value that changes: read it now, and be told when to read it again. */
export interface Source<T> {
  get(): T;
  /** Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

export interface WritableSource<T> extends Source<T> {
  set(value: T): void;
}

/** Listeners are told after each `set`. */
export function createSource<T>(initial: T): WritableSource<T> {
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

const noticeMs = 100;

/** What it needs of a clock. */
interface Timers {
  setTimeout(callback: () => void, waitMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface ChangeNotices {
  changed(): void;
  /** Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/**
 * Told from a timer of its own, so that a listener that throws cannot stop the work it hears of; what it throws is the
 * host's to report. After the last change there is always one notice, and without listeners no timer runs.
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
      timer = timers.setTimeout(tell, noticeMs);
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
