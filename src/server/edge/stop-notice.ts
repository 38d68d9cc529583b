/**
 * A stop that is seen to come: from the signal on `/readyz` says 503, while for a moment everything is still answered, on
 * new connections too. A load balancer leads nobody here any more by the time the port closes.
 */
export interface StopNotice {
  readonly isGiven: boolean;
  /** Resolves when the port may be closed. */
  give(): Promise<void>;
}

export interface StopNoticeOptions {
  readonly clock: { setTimeout(callback: () => void, waitMs: number): unknown };
  readonly seconds: number;
}

export function createStopNotice({ clock, seconds }: StopNoticeOptions): StopNotice {
  let isGiven = false;
  return {
    get isGiven() {
      return isGiven;
    },
    give() {
      isGiven = true;
      return new Promise((resolve) => clock.setTimeout(resolve, seconds * 1_000));
    },
  };
}
