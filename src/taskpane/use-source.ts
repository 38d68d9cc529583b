/**
 * How components follow what changes: sources, anything else that offers a subscription, and the
 * passing of time. Each hook unsubscribes when its component goes.
 */
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Clock } from "../engine/clock";
import type { Source } from "./services";

type Subscribe = (listener: () => void) => () => void;

/**
 * Renders again whenever the subscription tells. `subscribe` must stay the same between renders. `read`
 * gives what changes, where that is told by identity: it saves a second drawing when nothing has changed
 * between the first one and the subscription.
 */
export function useChanges(subscribe: Subscribe, read?: () => unknown): void {
  const [, render] = useReducer((times: number) => times + 1, 0);
  const drawn = read?.();
  useEffect(() => {
    const stop = subscribe(() => render(undefined));
    // What changed between the first render and this effect was told to nobody.
    if (read === undefined || read() !== drawn) render(undefined);
    return stop;
    // Only a new subscription begins again; `drawn` is of the render that this effect belongs to.
  }, [subscribe]);
}

/** The source's value, kept current. */
export function useSource<T>(source: Source<T>): T {
  useChanges(source.subscribe, source.get);
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
