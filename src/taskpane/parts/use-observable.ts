/** Hooks that redraw a component: for sources and other subscriptions, for time, and for data that is loaded. */
import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";
import { type InvError, toInvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import type { Observable } from "../../domain/notices";

type Subscribe = (listener: () => void) => () => void;

/** Subscribes in the same turn as the first drawing, so that no change is missed. `subscribe` must stay the same. */
export function useChanges(subscribe: Subscribe): void {
  const [, render] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => subscribe(() => render(undefined)), [subscribe]);
}

export function useObservable<T>(source: Observable<T>): T {
  useChanges(source.subscribe);
  return source.get();
}

/** Follows one fact of a source that changes more often than the fact does. */
export function useFact<T, F>(source: Observable<T>, read: (value: T) => F): F {
  const [fact, setFact] = useState(() => read(source.get()));
  useEffect(() => {
    const look = (): void => setFact(() => read(source.get()));
    look();
    return source.subscribe(look);
  }, [source]);
  return fact;
}

/** Redraws regularly, for ages and for a quota that recovers with time. */
export function useTick(clock: Clock, { everyMs, active }: { everyMs: number; active: boolean }): void {
  const [, render] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (!active) return;
    let timer = clock.setTimeout(tick, everyMs);
    function tick(): void {
      render(undefined);
      timer = clock.setTimeout(tick, everyMs);
    }
    return () => clock.clearTimeout(timer);
  }, [clock, everyMs, active]);
}

export interface Loaded<T> {
  /** Null until the first read succeeds; kept while the data is read again. */
  readonly value: T | null;
  readonly error: InvError | null;
  again(): void;
}

/**
 * Loads data at the first drawing and whenever an input changes. Drops an answer if a later read has started. Reads nothing
 * while `load` is null.
 */
export function useLoaded<T>(load: (() => Promise<T>) | null, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "again">>({ value: null, error: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (load === null) return;
    let isLatest = true;
    setState(({ value }) => ({ value, error: null }));
    load().then(
      (value) => isLatest && setState({ value, error: null }),
      (error: unknown) => isLatest && setState(({ value }) => ({ value, error: toInvError(error) })),
    );
    return () => {
      isLatest = false;
    };
  }, [load === null, attempt, ...inputs]);
  return { ...state, again: () => setAttempt((before) => before + 1) };
}
