/**
 * A refresh, up to the moment when cells may be marked dirty: it makes sure of one call that succeeds in its epoch
 * or a later one, its canary, and then wants answers of its epoch for all its work. The canary is a real call of the
 * work (the first items of one store, or a history), so that it costs nothing extra; one that has not left yet serves
 * the refreshes that begin meanwhile, too. A refresh that fails puts nothing back, because it took nothing away.
 * A big one is queued some thousands in a turn, full calls leaving at once; what is dropped meanwhile was all queued.
 */
import type { HistoryQuery, ItemQuery } from "../domain/records";
import type { Call } from "./call";
import { anyItem, type Canary, createCanary } from "./canary";
import type { Clock } from "./clock";
import type { Lane } from "./lane-types";
import type { Sender } from "./send/sender";
import type { Work } from "./types";

export interface RefreshTools {
  readonly clock: Clock;
  readonly items: Lane<ItemQuery, unknown>;
  readonly histories: Lane<HistoryQuery, unknown>;
  readonly search: Sender;
  readonly events: Sender;
  readonly decide: () => void;
  /** Queries queued in one turn. */
  readonly queuedPerTurn: number;
}

export interface Refreshes {
  /** Resolves when answers of this epoch are wanted; rejects with the reason, and then nothing has changed. */
  begin(work: Work, epoch: number): Promise<void>;
  /** Whether more is being queued: what fills part of a call may fill it yet. */
  isQueueing(): boolean;
  /** Queues the rest at once. */
  finishQueueing(): void;
}

interface Sent {
  readonly sender: Sender;
  readonly call: Call;
  readonly canary: Canary;
}

export function createRefreshes(tools: RefreshTools): Refreshes {
  const { items, histories, search, events, clock, queuedPerTurn } = tools;
  let latest: Sent | null = null;
  /** Each queues the rest of its refresh. */
  const queueing = new Set<() => void>();

  async function begin(work: Work, epoch: number): Promise<void> {
    const sender = work.items.length === 0 && work.histories.length > 0 ? events : search;
    const fault = sender.fault();
    if (fault !== null) throw fault;
    const isShared = latest?.sender === sender && latest.call.asked === null && !latest.canary.isOver;
    const { canary } = (latest = isShared && latest !== null ? latest : sendCanary(sender, work));
    tools.decide();
    await canary.ended;
    // In the turn of the answer, so that few can ask in between.
    await queue(work, epoch);
    tools.decide();
  }

  function sendCanary(sender: Sender, work: Work): Sent {
    const canary = createCanary(false);
    const call =
      sender === events
        ? histories.sendCanary(work.histories, canary)
        : items.sendCanary(work.items.length > 0 ? work.items : [anyItem], canary);
    return { sender, call, canary };
  }

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

  return {
    begin,
    isQueueing: () => queueing.size > 0,
    finishQueueing() {
      for (const rest of queueing) rest();
    },
  };
}
