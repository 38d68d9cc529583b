/**
 * The company's quota: every call waits here before it is sent. When the quota is used up, a call waits for a short
 * time and is then rejected with a time to try again; `turns.ts` decides the order. A store keeps the state as data; this
 * file keeps the promises of waiting calls, one queue per account.
 * Invariant: an account runs one step at a time. What happens meanwhile is an event of the next step.
 */
import { unawaited } from "../../domain/unawaited";
import type { Account, Waiting, WaitOutcome } from "./call";
import type { SteadyClock } from "../steady-clock";
import { accountKey, type QuotaStore } from "./quota-store";
import type { CallEnd, CallEvent, Decisions, QuotaUsage } from "./turns";

export interface CompanyQuota {
  /** Resolves when the call may be sent, or will not be. */
  wait(waiting: Waiting): Promise<WaitOutcome>;
  /** Null when nobody knows it now. */
  usage(account: Account): Promise<QuotaUsage | null>;
}

export interface CompanyQuotaOptions {
  readonly clock: SteadyClock;
  /** Called when a call starts to wait; returns the function to call when it stops. */
  readonly onWait: (account: Account) => (waitedMs: number) => void;
  readonly store: QuotaStore;
}

export function createCompanyQuota({ clock, onWait, store }: CompanyQuotaOptions): CompanyQuota {
  const queues = new Map<string, AccountQueue>();
  let calls = 0;

  function queueOf(account: Account): AccountQueue {
    const key = accountKey(account);
    let queue = queues.get(key);
    if (queue === undefined) {
      const onIdle = () => queues.delete(key);
      queue = createAccountQueue({ clock, store, account, onIdle });
      queues.set(key, queue);
    }
    return queue;
  }

  return {
    async wait({ account, asker, signal }) {
      const startedAtMs = clock.now();
      const onWaited = onWait(account);
      calls += 1;
      const outcome = await queueOf(account).wait(String(calls), { asker, signal });
      onWaited(clock.now() - startedAtMs);
      return outcome;
    },
    usage: (account) => store.usage(account),
  };
}

interface AccountQueue {
  wait(id: string, waiting: Pick<Waiting, "asker" | "signal">): Promise<WaitOutcome>;
}

function createAccountQueue({
  clock,
  store,
  account,
  onIdle,
}: {
  readonly clock: SteadyClock;
  readonly store: QuotaStore;
  readonly account: Account;
  /** Called when no call waits or is in flight. */
  readonly onIdle: () => void;
}): AccountQueue {
  const waiting = new Map<string, (outcome: WaitOutcome) => void>();
  let inFlight = 0;
  let events: CallEvent[] = [];
  let isStepping = false;
  let isStepDue = false;
  let timer: unknown = null;

  function wait(id: string, { asker, signal }: Pick<Waiting, "asker" | "signal">): Promise<WaitOutcome> {
    if (signal.aborted) return Promise.resolve({ kind: "cancelled" });
    return new Promise((resolve) => {
      const cancel = () => {
        settle(id, { kind: "cancelled" });
        report({ kind: "cancelled", id });
      };
      signal.addEventListener("abort", cancel);
      waiting.set(id, (outcome) => {
        signal.removeEventListener("abort", cancel);
        resolve(outcome);
      });
      report({ kind: "arrived", id, asker });
    });
  }

  /** False when the call no longer waits. */
  function settle(id: string, outcome: WaitOutcome): boolean {
    const resolve = waiting.get(id);
    if (resolve === undefined) return false;
    waiting.delete(id);
    resolve(outcome);
    return true;
  }

  function report(event: CallEvent): void {
    events.push(event);
    unawaited(runSteps());
  }

  const check = (): void => unawaited(runSteps());

  async function runSteps(): Promise<void> {
    isStepDue = true;
    if (isStepping) return;
    isStepping = true;
    while (isStepDue) {
      isStepDue = false;
      const reported = events;
      events = [];
      const decided = await store.step(account, reported);
      if ("kind" in decided) failAll(reported, decided.retryAfterMs);
      else apply(decided);
    }
    isStepping = false;
    if (waiting.size === 0 && inFlight === 0 && events.length === 0) onIdle();
  }

  function apply({ send, rejected, checkAgainInMs }: Decisions): void {
    // If the caller left during the step, the next step takes the call back.
    for (const id of send) if (settle(id, { kind: "send", end: (end) => endCall(id, end) })) inFlight += 1;
    for (const { id, retryAfterMs } of rejected) settle(id, { kind: "rejected", retryAfterMs });
    clock.clearTimeout(timer);
    timer = checkAgainInMs === null ? null : clock.setTimeout(check, checkAgainInMs);
  }

  function endCall(id: string, end: CallEnd): void {
    inFlight -= 1;
    report({ kind: "ended", id, end });
  }

  /** The step failed: nothing may be sent. Ends and cancellations are reported again, so that the store learns of them. */
  function failAll(reported: readonly CallEvent[], retryAfterMs: number): void {
    const failed = [...waiting.keys()];
    for (const id of failed) settle(id, { kind: "away", retryAfterMs });
    events = [
      ...[...reported, ...events].filter(({ kind }) => kind === "ended" || kind === "cancelled"),
      ...failed.map((id): CallEvent => ({ kind: "cancelled", id })),
    ];
    clock.clearTimeout(timer);
    timer = events.length === 0 ? null : clock.setTimeout(check, retryAfterMs);
  }

  return { wait };
}
