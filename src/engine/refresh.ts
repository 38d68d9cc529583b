/**
 * A refresh, up to the moment when cells may be marked dirty: it counts up the epoch, makes sure of one call
 * that succeeds, and then wants answers of its epoch for all its work. The call is a real one of the work (the
 * first items of one store, or a history), so that it costs nothing extra. A refresh that fails puts nothing
 * back, because it took nothing away.
 */
import type { InvError } from "../domain/errors";
import type { ItemQuery } from "../domain/records";
import type { HistoryQueue } from "./histories/history-queue";
import { itemsPerCall } from "./items/group-queues";
import type { Groups } from "./items/groups";
import type { ItemQueue } from "./items/item-queue";
import type { Proof } from "./items/search-call";
import type { Call } from "./send/call";
import type { Sender } from "./send/sender";
import type { Work } from "./types";

export interface RefreshTools {
  readonly groups: Groups;
  readonly items: ItemQueue;
  readonly histories: HistoryQueue;
  readonly searchSender: Sender;
  readonly eventsSender: Sender;
  /** A call for nothing, when there is no work to make a real one of. */
  readonly harmlessCall: (proof: Proof) => Call;
  readonly decide: () => void;
}

/** Resolves when answers of this epoch are wanted; rejects with the reason, and then nothing has changed. */
export function beginRefresh(tools: RefreshTools, work: Work, epoch: number): Promise<void> {
  const { sender, makeCall } = firstCall(tools, work);
  const fault = sender.fault();
  if (fault !== null) return Promise.reject(fault);
  return new Promise((resolve, reject: (error: InvError) => void) => {
    let isTold = false;
    const proof: Proof = (error) => {
      if (isTold) return;
      isTold = true;
      if (error !== null) {
        reject(error);
        return;
      }
      // In the turn of the answer, so that no cell can ask in between.
      tools.items.refresh(work.items, epoch);
      tools.histories.refresh(work.histories, epoch);
      resolve();
    };
    sender.insert(makeCall(proof));
    tools.decide();
  });
}

function firstCall(
  tools: RefreshTools,
  { items, histories }: Work,
): { readonly sender: Sender; readonly makeCall: (proof: Proof) => Call } {
  const first = items[0];
  if (first !== undefined) {
    const group = tools.groups.of(first.storeNumber, first.itemType);
    const values = firstValues(items, first);
    return { sender: tools.searchSender, makeCall: (proof) => tools.items.probe(group, values, proof) };
  }
  if (histories.length > 0) {
    return { sender: tools.eventsSender, makeCall: (proof) => tools.histories.probe(histories, proof) };
  }
  return { sender: tools.searchSender, makeCall: tools.harmlessCall };
}

/** The first call's worth of the first item's group, each item once. */
function firstValues(items: readonly ItemQuery[], first: ItemQuery): readonly string[] {
  const values = new Set<string>();
  for (const { storeNumber, itemType, value } of items) {
    if (storeNumber === first.storeNumber && itemType === first.itemType) values.add(value);
    if (values.size === itemsPerCall) break;
  }
  return [...values];
}
