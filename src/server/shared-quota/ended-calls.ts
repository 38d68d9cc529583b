/**
 * The calls of an account that have ended and still count, oldest first. They may be as many as the quota allows, and a
 * step looks at two or three of them, so they are asked for one by one and may lie elsewhere than the rest.
 */
export interface EndedCalls {
  count(): number;
  /** 0 is the oldest. */
  at(place: number): EndedCall | undefined;
  add(call: EndedCall): void;
  forgetOldest(): void;
}

export interface EndedCall {
  readonly person: string;
  readonly wasEditFirst: boolean;
  readonly countsUntilMs: number;
}

export function createEndedCalls(): EndedCalls {
  const calls: EndedCall[] = [];
  let forgotten = 0;
  return {
    count: () => calls.length - forgotten,
    at: (place) => calls[forgotten + place],
    add: (call) => void calls.push(call),
    forgetOldest() {
      forgotten += 1;
      if (forgotten <= 100 || forgotten * 2 <= calls.length) return;
      calls.splice(0, forgotten);
      forgotten = 0;
    },
  };
}
