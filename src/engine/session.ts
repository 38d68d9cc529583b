/**
 * Everything that belongs to one connection, put together: the two lanes, what sends them, the token, what is known.
 * Another environment or other credentials get another session, so nothing of the old one can reach the new.
 * What outlives a connection (settings, progress, quota used, the preferred sheet) comes from the engine.
 * Invariant: a closed session has settled all that waited in it, and sends nothing.
 */
import type { Credentials, Operation } from "../domain/environment";
import { InvError } from "../domain/errors";
import { createArrivals } from "./arrivals";
import { createCanaries } from "./canary";
import type { Stamp } from "./entry";
import { createSeenHistories } from "./histories/history-cost";
import { createHistoryIndex } from "./histories/history-index";
import { createHistoryWire } from "./histories/history-wire";
import { createItemIndex, createItemWire } from "./items/items";
import { createLane } from "./lane";
import type { ConnectionTools } from "./lane-types";
import { createAdmission } from "./send/admission";
import type { Quota } from "./send/quota";
import { createSender, type Sender } from "./send/sender";
import type { Spending } from "./send/spending";
import { createTokenKeeper } from "./send/token";
import type { EngineSettings, Fault, Work } from "./types";

export type Session = ReturnType<typeof createSession>;

export interface SessionOptions extends ConnectionTools {
  readonly quotas: Readonly<Record<Operation, Quota>>;
  readonly spending: Spending;
}

export function createSession(options: SessionOptions) {
  const { clock, board, sheets, quotas } = options;
  let isClosed = false;
  /** How many refreshes have begun, those that failed included. */
  let epoch = 0;
  let callsSent = 0;
  let credentialFault: InvError | null = null;
  const settings = (): EngineSettings => {
    const now = options.settings();
    if (isClosed) return { ...now, whenUnanswered: "error" };
    // Being offline is a choice, and takes no value away.
    return now.offline ? { ...now, whenUnanswered: "last-known" } : now;
  };
  const stopped = (): InvError | null => (options.settings().offline ? offline() : null);

  const arrivals = createArrivals();
  const laneTools = { ...options, settings, arrivals, wake: () => admission.wake() };
  const seen = createSeenHistories();
  const items = createLane({
    ...laneTools,
    index: createItemIndex(sheets.preferred),
    wire: createItemWire({ ...options, settings }),
  });
  const histories = createLane({
    ...laneTools,
    index: createHistoryIndex(seen, sheets.preferred),
    wire: createHistoryWire(options),
  });

  const token = createTokenKeeper({
    ...options,
    onChange: () => admission.decide(),
    onFault: raiseCredentialFault,
    onOutage: (error) => senders.forEach(({ lane }) => lane.failWaiting(error)),
  });
  const senderTools = {
    ...options,
    token,
    stamp,
    stopped,
    onTokenRefused: raiseCredentialFault,
    onEnded: () => admission.decide(),
  };
  const search = createSender({ ...senderTools, operation: "search", lane: items, quota: quotas.search });
  const events = createSender({ ...senderTools, operation: "events", lane: histories, quota: quotas.events });
  const senders: readonly Sender[] = [search, events];
  const admission = createAdmission({ ...options, senders, token, arrivals });
  const { decide } = admission;
  const canaries = createCanaries({ ...options, items, histories, search, events, token, decide });

  function stamp(): Stamp {
    callsSent += 1;
    return { epoch, number: callsSent, atMs: clock.steadyNow() };
  }

  function raiseCredentialFault(error: InvError): void {
    credentialFault = error;
    for (const sender of senders) sender.raise(error);
    board.touch();
  }

  function faults(): readonly Fault[] {
    if (credentialFault !== null) return [{ scope: "credentials", error: credentialFault }];
    return senders.flatMap((sender) => {
      const error = sender.fault();
      return error === null || error.code === "offline" ? [] : [{ scope: sender.operation, error }];
    });
  }

  function tryAgain(): void {
    credentialFault = null;
    token.reset();
    for (const sender of senders) sender.reset();
    admission.decide();
  }

  /** Settles all that waits with this reason or last known values. */
  function dropAll(error: InvError): void {
    canaries.finishQueueing();
    admission.dropAll(error);
  }

  return {
    items,
    histories,
    lanes: [items, histories],
    /** What reading histories was last seen to cost. */
    seen,
    inFlight: admission.inFlight,
    faults,
    /** Nothing has succeeded since the last failure, so nobody knows how long it will take. */
    isDoubtful: () => token.isDoubtful() || senders.some(({ circuit }) => circuit.isDoubtful()),
    isWaiting: () => senders.some(({ lane }) => lane.isWaiting()),
    callsWaiting: () => ({ search: items.callsWaiting(), events: histories.callsWaiting() }),
    tryAgain,
    /** Goes on with these; what is known stays. */
    renewCredentials(next: Credentials): void {
      token.use(next);
      tryAgain();
    },
    decide,
    async testConnection(): Promise<void> {
      const reason = stopped();
      if (reason !== null) throw reason;
      await canaries.test();
      tryAgain();
    },
    async refresh(work: Work): Promise<void> {
      epoch += 1;
      await canaries.refresh(work, epoch);
      if (isClosed) throw environmentChanged();
    },
    dropAll,
    close(): void {
      isClosed = true;
      dropAll(environmentChanged());
      admission.close();
      token.close();
    },
  };
}

/** The reason of all that is not asked because a person switched calls off. */
export function offline(): InvError {
  const message = "INV is offline: no calls are sent. Go online in the INV pane to ask the service.";
  return new InvError("offline", message);
}

function environmentChanged(): InvError {
  const message =
    "The environment or its credentials changed before the answer came. Refresh to ask the new one.";
  return new InvError("cancelled", message);
}
