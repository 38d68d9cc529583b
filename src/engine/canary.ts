/**
 * The canary: one real call that shows whether the service answers at all, before anything is built on that. It goes
 * before all other calls, past the circuit and past a fault that stood before it, and whatever it holds is brought by it
 * as by any call. Two things begin with one:
 *
 * - a refresh, up to the moment when cells may be marked dirty. Its canary is a call of its own work, so that it costs
 *   nothing extra, waits for the quota, as the price said before the click, and is retried as cells are; one that has not
 *   left yet serves the refreshes that begin meanwhile, too. A refresh that fails puts nothing back, because it took
 *   nothing away;
 * - the test of a connection, which a person runs before they trust it. It asks for one item that the service need not
 *   know: any answer will do, a "no data" included. It says at once what is wrong: it is tried once, with the token it
 *   renewed, and where the quota is shut it does not wait.
 */
import { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import type { Canary } from "./entry";
import type { ConnectionTools, Lane } from "./lane-types";
import type { Sender } from "./send/sender";
import type { TokenKeeper } from "./send/token";
import type { Work } from "./types";

export interface CanaryTools extends ConnectionTools {
  readonly items: Lane<ItemQuery, unknown>;
  readonly histories: Lane<HistoryQuery, unknown>;
  readonly search: Sender;
  readonly events: Sender;
  readonly token: TokenKeeper;
  readonly decide: () => void;
}

/** What is asked for when nothing is known to ask for. */
const anyItem: ItemQuery = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" };

export function createCanaries(tools: CanaryTools) {
  const { items, histories, search, events, token, clock, queuedPerTurn, decide } = tools;
  /** Of the refreshes. */
  let latest: ReturnType<typeof sendFor> | null = null;
  /** Each queues the rest of its refresh. */
  const queueing = new Set<() => void>();

  /** Resolves when answers of this epoch are wanted; rejects with the reason, and then nothing has changed. */
  async function refresh(work: Work, epoch: number): Promise<void> {
    const sender = work.items.length === 0 && work.histories.length > 0 ? events : search;
    const fault = sender.fault();
    if (fault !== null) throw fault;
    const isShared = latest?.sender === sender && latest.call.asked === null && !latest.canary.isOver;
    const { canary } = (latest = isShared && latest !== null ? latest : sendFor(sender, work));
    decide();
    await canary.ended;
    // In the turn of the answer, so that few can ask in between.
    const queued = queue(work, epoch);
    tools.gather(queued);
    await queued;
  }

  function sendFor(sender: Sender, work: Work) {
    const canary = createCanary(false);
    const call =
      sender === events
        ? histories.sendCanary(work.histories, canary)
        : items.sendCanary(work.items.length > 0 ? work.items : [anyItem], canary);
    return { sender, call, canary };
  }

  /** A big one some thousands in a turn, full calls leaving at once; what is dropped meanwhile was all queued. */
  function queue(work: Work, epoch: number): Promise<void> {
    const steps = [
      ...inParts(work.items).map((part) => () => items.refresh(part, epoch)),
      ...inParts(work.histories).map((part) => () => histories.refresh(part, epoch)),
    ];
    return new Promise((resolve) => {
      const rest = (): void => {
        for (const step of steps.splice(0)) step();
        queueing.delete(rest);
        resolve();
      };
      const next = (): void => {
        // Finished at once meanwhile.
        if (!queueing.has(rest)) return;
        steps.shift()?.();
        if (steps.length === 0) rest();
        else clock.nextTurn(next);
      };
      queueing.add(rest);
      next();
    });
  }

  function inParts<Query>(queries: readonly Query[]): (readonly Query[])[] {
    const parts: (readonly Query[])[] = [];
    for (let at = 0; at < queries.length; at += queuedPerTurn) {
      parts.push(queries.slice(at, at + queuedPerTurn));
    }
    return parts;
  }

  /** A new token, then the call that goes with it. Rejects with the reason why no value can be had. */
  async function test(): Promise<void> {
    const canary = createCanary(true);
    const call = items.sendCanary([anyItem], canary);
    // It stands in line meanwhile, so that whatever ends what waits ends it too.
    call.notBeforeMs = Infinity;
    call.isRenewed = true;
    void token.renew().then((outcome) => {
      const nowMs = clock.steadyNow();
      if (outcome.kind !== "granted") items.giveUp(call, outcome.error);
      else if (search.quota.opensAtMs(true, nowMs) > nowMs) items.giveUp(call, quotaIsUsed());
      call.notBeforeMs = 0;
      decide();
    });
    await canary.ended;
  }

  /** Queues the rest of all refreshes at once. */
  function finishQueueing(): void {
    for (const rest of queueing) rest();
  }

  return { refresh, finishQueueing, test };
}

function createCanary(isTest: boolean): Canary {
  let end: Canary["end"] = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => {
      canary.isOver = true;
      if (error === null) resolve();
      else reject(error);
    };
  });
  const canary = { isTest, ended, isOver: false, end };
  return canary;
}

function quotaIsUsed(): InvError {
  const message = "The company's quota of calls is used up for now. Wait a minute, then test again.";
  return new InvError("quota", message);
}
