/**
 * Probes: a probe is one real call that shows whether the service answers at all. It is sent before all other calls, past the
 * circuit breaker and an earlier fault, and its answers are used like any call's. Two things start with one:
 *
 * - a refresh, up to the moment when cells may be marked dirty. Its probe is a call of its own work, so it costs nothing
 *   extra, waits for the quota as the price said before the click, and is retried as cells are. A probe that has not been
 *   sent yet also serves refreshes that start meanwhile. A refresh that fails has changed nothing;
 * - the connection test. It asks for one item that the service need not know: any answer will do, "no data" included. It is
 *   tried once, with a new token, and doesn't wait for the quota, so that it says at once what is wrong.
 */
import { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import type { Probe } from "./entry";
import type { ConnectionContext } from "./connection-context";
import type { Batcher } from "./batcher-types";
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

/** Requested when there is no item of one's own to ask for. */
const anyItem: ItemQuery = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" };

export function createProbes(options: ProbeOptions) {
  const { items, histories, search, events, token, clock, queuedPerTurn, decide } = options;
  /** The probe of the latest refresh. */
  let latest: ReturnType<typeof sendFor> | null = null;
  /** Functions that each queue the rest of a refresh. */
  const queueing = new Set<() => void>();

  /** Resolves when only answers of this epoch are fresh; rejects with the reason, and then nothing has changed. */
  async function refresh(work: Work, epoch: number): Promise<void> {
    const sender = work.items.length === 0 && work.histories.length > 0 ? events : search;
    const fault = sender.fault();
    if (fault !== null) throw fault;
    const isShared = latest?.sender === sender && latest.call.sentAt === null && !latest.probe.isOver;
    const { probe } = (latest = isShared && latest !== null ? latest : sendFor(sender, work));
    decide();
    await probe.ended;
    // In the same turn as the answer, so that few cells can ask in between.
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

  /** Queues a big refresh some thousands in a turn, while full calls already leave. A cancel first queues the rest. */
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
        // Everything was queued at once meanwhile.
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

  /** Requests a new token and sends a call with it. Rejects with the reason why values can't be read. */
  async function test(): Promise<void> {
    const probe = createProbe(true);
    const call = items.sendProbe([anyItem], probe);
    // It is queued meanwhile, so that whatever ends waiting calls also ends this one.
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

  /** Queues the rest of all refreshes now. */
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
