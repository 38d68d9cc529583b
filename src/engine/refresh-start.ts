/**
 * Starts refreshes. The first call of a refresh is a probe: it shows whether the service answers at all, before any cell is
 * marked dirty. It is sent before all other calls. It is part of the refresh's own work, so it costs nothing extra. A refresh that
 * starts before the probe is sent shares it. If it fails, nothing has changed.
 */
import type { Operation } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery, ItemRecord } from "../domain/records";
import type { Batcher } from "./batcher";
import type { Call, Probe } from "./entry";
import type { Events } from "./histories/history-planner";
import { anyItem } from "./test-connection";
import type { Work } from "./types";

interface SentProbe {
  readonly operation: Operation;
  readonly call: Pick<Call<unknown, unknown>, "sentAt">;
  readonly probe: Probe;
}

/** Returns the function that starts a refresh. */
export function createRefreshStart(options: {
  readonly items: Batcher<ItemQuery, ItemRecord>;
  readonly histories: Batcher<HistoryQuery, Events>;
  /** Returns why nothing is sent to the operation, or null. */
  readonly faultOf: (operation: Operation) => InvError | null;
  /** Lets what is queued leave. */
  readonly look: () => void;
}) {
  const { items, histories, faultOf } = options;
  let latest: SentProbe | null = null;

  function probeOperation(work: Work): Operation {
    const isSearchStopped = faultOf("search") !== null && faultOf("events") === null;
    return work.histories.length > 0 && (work.items.length === 0 || isSearchStopped) ? "events" : "search";
  }

  /** Returns the probe of an earlier refresh if it isn't sent yet. */
  function unsentProbe(operation: Operation): SentProbe | null {
    if (latest === null || latest.probe.hasEnded || latest.call.sentAt !== null) return null;
    return latest.operation === operation ? latest : null;
  }

  function queueProbe(work: Work, operation: Operation): SentProbe {
    const probe = createProbe();
    const call =
      operation === "events"
        ? histories.queueProbe(work.histories, probe)
        : items.queueProbe(work.items.length > 0 ? work.items : [anyItem], probe);
    return (latest = { operation, call, probe });
  }

  /** Resolves when the service has answered the probe. From then on, the entries of `work` want answers of this epoch. */
  return async (work: Work, epoch: number): Promise<void> => {
    const operation = probeOperation(work);
    const fault = faultOf(operation);
    if (fault !== null) throw fault;
    const { probe } = unsentProbe(operation) ?? queueProbe(work, operation);
    options.look();
    await probe.ended;
    // In the same turn as the answer, so that few cells can make a request in between.
    items.refresh(work.items, epoch);
    histories.refresh(work.histories, epoch);
    options.look();
  };
}

function createProbe(): Probe {
  let settle: Probe["end"] = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === null ? resolve() : reject(error));
  });
  const probe = {
    ended,
    hasEnded: false,
    end(error: InvError | null): void {
      probe.hasEnded = true;
      settle(error);
    },
  };
  return probe;
}
