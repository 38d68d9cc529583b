/**
 * The probe: one real call that shows whether the service answers at all, before anything is built on that. It goes
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
import type { Probe } from "./entry";
import type { ConnectionContext } from "./connection-context";
import type { Batcher } from "./batcher";
import type { Sender } from "./scheduler/sender";
import type { TokenKeeper } from "./scheduler/token";
import type { Work } from "./types";

export interface ProbeOptions extends ConnectionContext {
  readonly items: Batcher<ItemQuery, unknown>;
  readonly histories: Batcher<HistoryQuery, unknown>;
  readonly search: Sender;
  readonly events: Sender;
  readonly token: TokenKeeper;
  readonly decide: () => void;
}

/** What is asked for when nothing is known to ask for. */
const anyItem: ItemQuery = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" };

export function createProbes(options: ProbeOptions) {
  const { items, histories, search, events, token, clock, queuedPerTurn, decide } = options;
  /** Of the refreshes. */
  let latest: ReturnType<typeof sendFor> | null = null;
  /** Each queues the rest of its refresh. */
  const queueing = new Set<() => void>();

  /** Resolves when answers of this epoch are wanted; rejects with the reason, and then nothing has changed. */
  async function refresh(work: Work, epoch: number): Promise<void> {
    const sender = work.items.length === 0 && work.histories.length > 0 ? events : search;
    const fault = sender.fault();
    if (fault !== null) throw fault;
    const isShared = latest?.sender === sender && latest.call.sentAt === null && !latest.probe.isOver;
    const { probe } = (latest = isShared && latest !== null ? latest : sendFor(sender, work));
    decide();
    await probe.ended;
    // In the turn of the answer, so that few can ask in between.
    const queued = queue(work, epoch);
    options.gather(queued);
    await queued;
  }

  function sendFor(sender: Sender, work: Work) {
    const probe = createProbe(false);
    const call =
      sender === events
        ? histories.sendProbe(work.histories, probe)
        : items.sendProbe(work.items.length > 0 ? work.items : [anyItem], probe);
    return { sender, call, probe };
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
    const probe = createProbe(true);
    const call = items.sendProbe([anyItem], probe);
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
    await probe.ended;
  }

  /** Queues the rest of all refreshes at once. */
  function finishQueueing(): void {
    for (const rest of queueing) rest();
  }

  return { refresh, finishQueueing, test };
}

function createProbe(isTest: boolean): Probe {
  let end: Probe["end"] = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => {
      probe.isOver = true;
      if (error === null) resolve();
      else reject(error);
    };
  });
  const probe = { isTest, ended, isOver: false, end };
  return probe;
}

function quotaIsUsed(): InvError {
  const message = "The company's quota of calls is used up for now. Wait a minute, then test again.";
  return new InvError("quota", message);
}
