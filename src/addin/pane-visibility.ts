/**
 * Whether a person sees the pane. Excel reports each change (documented), but not the state at the start. Until the first report,
 * the pane counts as shown if the browser draws it, because browsers draw no hidden page.
 */
import { createNotices } from "../domain/notices";
import { unawaited } from "../domain/unawaited";
import type { Clock } from "../engine/clock";

export interface PaneVisibility {
  onShown(listener: () => void): void;
  /** Resolves with whether the pane is in view, or comes into view within a second. */
  isShown(): Promise<boolean>;
}

/** Excel shows a pane, and reports it, within this time. */
export const shownWithinMs = 1_000;

export interface PaneVisibilityOptions {
  readonly clock: Clock;
  /** Calls the listener at each of Excel's reports. */
  follow(listener: (isVisible: boolean) => void): void;
  /** Resolves when the browser draws the page, with whether the page has a size. */
  nextFrame(): Promise<boolean>;
}

export function createPaneVisibility(
  { clock, follow, nextFrame }: PaneVisibilityOptions,
  shown = createNotices(),
): PaneVisibility {
  let reported: boolean | null = null;
  follow((isVisible) => {
    reported = isVisible;
    if (isVisible) shown.tell();
  });
  return {
    onShown: (listener) => shown.subscribe(listener),
    isShown() {
      if (reported === true) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (isShown: boolean): void => {
          clock.clearTimeout(timer);
          unsubscribe();
          resolve(isShown);
        };
        const timer = clock.setTimeout(() => end(false), shownWithinMs);
        const unsubscribe = shown.subscribe(() => end(true));
        if (reported === null) unawaited(nextFrame().then(end));
      });
    },
  };
}
