/**
 * A refresh, up to the moment when cells may be marked dirty: it makes sure of one call that succeeds in its epoch
 * or a later one, and then wants answers of its epoch for all its work. The call is a real one of the work (the
 * first items of one store, or a history), so that it costs nothing extra; one that has not left yet serves the
 * refreshes that begin meanwhile, too. A refresh that fails puts nothing back, because it took nothing away.
 * A big one is queued some thousands in a turn, full calls leaving at once; what is dropped meanwhile was all queued.
 */
import type { InvError } from "../domain/errors";
import type { ItemQuery } from "../domain/records";
import type { Clock } from "./clock";
import type { HistoryQueue } from "./histories/history-queue";
import { itemsPerCall } from "./items/group-queues";
import type { Groups } from "./items/groups";
import type { ItemQueue } from "./items/item-queue";
import type { Proof } from "./items/search-call";
import type { Call } from "./send/call";
import type { Sender } from "./send/sender";
import type { Work } from "./types";

export interface RefreshTools {
  readonly clock: Clock;
  readonly groups: Groups;
  readonly items: ItemQueue;
  readonly histories: HistoryQueue;
  readonly searchSender: Sender;
  readonly eventsSender: Sender;
  /** A call for nothing, when there is no work to make a real one of. */
  readonly harmlessCall: (proof: Proof) => Call;
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

interface FirstCall {
  readonly sender: Sender;
  readonly call: Call;
  readonly proofs: Proof[];
}

export function createRefreshes(tools: RefreshTools): Refreshes {
  let firstCall: FirstCall | null = null;
  /** Each queues the rest of its refresh. */
  const queueing = new Set<() => void>();

  function begin(work: Work, epoch: number): Promise<void> {
    const sender = senderOf(tools, work);
    const fault = sender.fault();
    if (fault !== null) return Promise.reject(fault);
    return new Promise((resolve, reject: (error: InvError) => void) => {
      prove(sender, work, (error) => {
        // In the turn of the answer, so that few can ask in between.
        if (error === null) queue(work, epoch, resolve);
        else reject(error);
      });
      tools.decide();
    });
  }

  function prove(sender: Sender, work: Work, proof: Proof): void {
    if (firstCall?.sender === sender && firstCall.call.retry.firstSentAtMs === null) {
      firstCall.proofs.push(proof);
      return;
    }
    const proofs = [proof];
    const call = makeFirstCall(tools, work, (error) => {
      if (firstCall?.proofs === proofs) firstCall = null;
      for (const each of proofs.splice(0)) each(error);
    });
    firstCall = { sender, call, proofs };
    sender.insert(call);
  }

  function queue({ items, histories }: Work, epoch: number, end: () => void): void {
    const count = items.length + histories.length;
    let queued = 0;
    const queueUntil = (next: number): void => {
      tools.items.refresh(items.slice(queued, next), epoch);
      const [from, to] = [queued - items.length, next - items.length];
      if (to > 0) tools.histories.refresh(histories.slice(Math.max(0, from), to), epoch);
      queued = next;
      if (queued < count) return;
      queueing.delete(rest);
      end();
    };
    const rest = (): void => queueUntil(count);
    const queueSome = (): void => {
      // Finished at once meanwhile.
      if (!queueing.has(rest)) return;
      queueUntil(Math.min(queued + tools.queuedPerTurn, count));
      if (queued < count) tools.clock.nextTurn(queueSome);
    };
    queueing.add(rest);
    queueSome();
  }

  return {
    begin,
    isQueueing: () => queueing.size > 0,
    finishQueueing() {
      for (const rest of queueing) rest();
    },
  };
}

function senderOf({ searchSender, eventsSender }: RefreshTools, { items, histories }: Work): Sender {
  return items.length === 0 && histories.length > 0 ? eventsSender : searchSender;
}

function makeFirstCall(tools: RefreshTools, { items, histories }: Work, proof: Proof): Call {
  const first = items[0];
  if (first !== undefined) {
    const group = tools.groups.of(first.storeNumber, first.itemType);
    return tools.items.probe(group, firstValues(items, first), proof);
  }
  return histories.length > 0 ? tools.histories.probe(histories, proof) : tools.harmlessCall(proof);
}

/** The first call's worth of the first item's group. */
function firstValues(items: readonly ItemQuery[], first: ItemQuery): readonly string[] {
  const values: string[] = [];
  for (const { storeNumber, itemType, value } of items) {
    if (storeNumber === first.storeNumber && itemType === first.itemType) values.push(value);
    if (values.length === itemsPerCall) break;
  }
  return values;
}
