/**
 * The calls of one account that wait in this process: tells the store what happened, carries out what it decided, and
 * looks again in time. What is decided, and whose turn it is, is the store's.
 * Invariant: one step at a time; what happens meanwhile is told in the next.
 */
import type { SteadyClock } from "./clock";
import type { Connections } from "./connections";
import type { CallEnd } from "./call-end";
import type { Account, WaitEnd, Waiting } from "./entry";
import type { QuotaStore } from "./quota-store";
import type { Decisions, News } from "./step";

export interface CallLine {
  enter(id: string, waiting: Pick<Waiting, "askers" | "signal">): Promise<WaitEnd>;
  /** Something may have changed for those who wait. */
  look(): void;
}

export interface LineOptions {
  readonly clock: SteadyClock;
  readonly store: QuotaStore;
  readonly connections: Connections;
  readonly account: Account;
  /** How long a call is held at most. */
  readonly holdMs: number;
  /** Nobody waits, and no call is under way. */
  readonly onIdle: () => void;
}

/** What the store has not decided by then it has lost. */
const lostAfterMs = 1_000;

export function createCallLine(options: LineOptions): CallLine {
  const { clock, store, connections, account, holdMs, onIdle } = options;
  /** In the order of coming. */
  const waiting = new Map<string, { readonly settle: (entry: WaitEnd) => void; readonly lostAtMs: number }>();
  let underWay = 0;
  let news: News[] = [];
  let isStepping = false;
  let isLookDue = false;
  let timer: unknown = null;

  function enter(id: string, { askers, signal }: Pick<Waiting, "askers" | "signal">): Promise<WaitEnd> {
    if (signal.aborted) return Promise.resolve({ kind: "left" });
    return new Promise((resolve) => {
      const leave = () => {
        settle(id, { kind: "left" });
        tell({ kind: "leaves", id });
      };
      signal.addEventListener("abort", leave);
      waiting.set(id, {
        lostAtMs: clock.now() + holdMs + lostAfterMs,
        settle(entry) {
          signal.removeEventListener("abort", leave);
          resolve(entry);
        },
      });
      askers.onChange(() => {
        if (waiting.has(id)) tell({ kind: "asked", id, askers: askers.now() });
      });
      tell({ kind: "enters", id, askers: askers.now() });
    });
  }

  /** False for one that waits no more. */
  function settle(id: string, entry: WaitEnd): boolean {
    const one = waiting.get(id);
    if (one === undefined) return false;
    waiting.delete(id);
    one.settle(entry);
    return true;
  }

  function tell(each: News): void {
    news.push(each);
    void look();
  }

  const lookAgain = (): void => void look();

  async function look(): Promise<void> {
    isLookDue = true;
    if (isStepping) return;
    isStepping = true;
    while (isLookDue) {
      isLookDue = false;
      const told = news;
      news = [];
      const room = connections.lend();
      const decided = await store.step(account, told, room);
      if ("kind" in decided) {
        connections.giveBack(room, 0);
        giveUp(told, decided.retryAfterMs);
      } else {
        connections.giveBack(room, decided.go.length);
        carryOut(decided);
      }
    }
    isStepping = false;
    if (waiting.size === 0 && underWay === 0 && news.length === 0) onIdle();
  }

  function carryOut({ go, sentBack, lookAgainInMs, lacksRoom }: Decisions): void {
    for (const id of go) {
      underWay += 1;
      const entry: WaitEnd = { kind: "go", end: (how) => endOne(id, how) };
      // Who left in the same moment: the turn is used all the same.
      if (!settle(id, entry)) endOne(id, { kind: "failed" });
    }
    for (const { id, retryAfterMs } of sentBack) settle(id, { kind: "full", retryAfterMs });
    clock.clearTimeout(timer);
    const inMs = Math.min(lookAgainInMs ?? Infinity, giveUpLost());
    timer = inMs === Infinity ? null : clock.setTimeout(lookAgain, inMs);
    if (lacksRoom) connections.whenMore(lookAgain);
  }

  /** Returns when to look again whether one is lost. */
  function giveUpLost(): number {
    const nowMs = clock.now();
    for (const [id, { lostAtMs }] of waiting) {
      if (nowMs < lostAtMs) return lostAtMs - nowMs;
      settle(id, { kind: "away", retryAfterMs: lostAfterMs });
      tell({ kind: "leaves", id });
    }
    return Infinity;
  }

  function endOne(id: string, how: CallEnd): void {
    underWay -= 1;
    news.push({ kind: "ended", id, end: how });
    connections.release();
    void look();
  }

  /** Nothing may leave while nothing is known; what has ended is told again. */
  function giveUp(told: readonly News[], retryAfterMs: number): void {
    const left = [...waiting.keys()];
    for (const id of left) settle(id, { kind: "away", retryAfterMs });
    news = [
      ...[...told, ...news].filter(({ kind }) => kind === "ended" || kind === "leaves"),
      ...left.map((id): News => ({ kind: "leaves", id })),
    ];
    clock.clearTimeout(timer);
    timer = news.length === 0 ? null : clock.setTimeout(lookAgain, retryAfterMs);
  }

  return { enter, look: lookAgain };
}
