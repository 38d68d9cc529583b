/**
 * How components follow what changes: sources, anything else that offers a subscription, and the
 * passing of time. Each hook unsubscribes when its component goes.
 */
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import type { Clock } from "../../engine/clock";
import type { Source } from "../../domain/notices";

type Subscribe = (listener: () => void) => () => void;

/**
 * Renders again whenever the subscription tells. `subscribe` must stay the same between renders. It is
 * taken up in the turn of the first drawing, so that no change can come between the two.
 */
export function useChanges(subscribe: Subscribe): void {
  const [, render] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => subscribe(() => render(undefined)), [subscribe]);
}

/** The source's value, kept current. */
export function useSource<T>(source: Source<T>): T {
  useChanges(source.subscribe);
  return source.get();
}

/** Renders again every so often while `active`, for ages and for a quota that frees itself. */
export function useTick(clock: Clock, options: { everyMs: number; active: boolean }): void {
  const [, render] = useReducer((times: number) => times + 1, 0);
  const { everyMs, active } = options;
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

/** Whether the component is still there, for answers that come late. */
export function useAlive(): { readonly current: boolean } {
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);
  return alive;
}
