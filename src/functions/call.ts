/**
 * One calculation of one INV formula: asks the engine in the cell's name, and reports to the cell register
 * what was asked and how it ended. In a preview of a part of a formula nothing is reported, and nothing asked
 * that would cost a call. A call is a plain record, since sheets make 100,000 of them at once.
 */
import { toInvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery, ItemRecord } from "../domain/records";
import type { CellCall, Place } from "../cells/cell-register";
import type { Answer, HistoryAnswer, ItemAnswer, Outcome, Waiter } from "../engine/answer";
import type { Invocation } from "./host";
import type { FunctionSession } from "./session";
import type { Refusal } from "./values";

/** What a preview shows of a value that would have to be asked for. */
export const previewPlaceholder = "…";

/** How the promise of a formula is settled. */
export interface Settling {
  readonly resolve: (matrix: unknown[][]) => void;
  readonly reject: (hostError: unknown) => void;
}

export interface Call extends Settling {
  readonly session: FunctionSession;
  readonly address: string | null;
  readonly isPreview: boolean;
  /** Null in a preview, and before it begins. */
  report: CellCall | null;
}

/**
 * What asking comes to: an outcome; or the waiter will be told of it; or this is a preview, and the answer is
 * not at hand.
 */
export type Asking<T> = Outcome<T> | "waits" | "preview";

export function createCall(
  session: FunctionSession,
  { address, isPreview }: Invocation,
  { resolve, reject }: Settling,
): Call {
  return { session, address, isPreview, report: null, resolve, reject };
}

/** Begins it in the cell register; `endCall` must follow. */
export function beginCall(call: Call): void {
  const { session, address } = call;
  if (!call.isPreview) call.report = session.cells.begin(address, session.environmentId());
}

/** Asks for an item. */
export function askItem(call: Call, query: ItemQuery, waiter: Waiter<ItemRecord>): Asking<ItemRecord> {
  const { session, report } = call;
  if (report === null && !session.engine.isFresh(query)) return "preview";
  report?.asks(query);
  return session.engine.ask(query, waiter, report?.address ?? undefined) ?? "waits";
}

/** The same with a promise; null where this is a preview and the answer is not at hand. */
export function fetchItem({ session, report }: Call, query: ItemQuery): Promise<ItemAnswer> | null {
  if (report === null && !session.engine.isFresh(query)) return null;
  report?.asks(query);
  return session.engine.item(query, report?.address ?? undefined);
}

/** Fetches a history; null where this is a preview and the answer is not at hand. */
export function fetchHistory({ session, report }: Call, query: HistoryQuery): Promise<HistoryAnswer> | null {
  if (report === null && !session.engine.isFresh(query)) return null;
  report?.asks(query);
  return session.engine.history(query, report?.address ?? undefined);
}

/** INV's record of an item: the one at hand, else the one that is on its way or asked for now. */
export function askRecord(call: Call, query: ItemQuery, waiter: Waiter<ItemRecord>): Asking<ItemRecord> {
  const { session, report } = call;
  const { engine } = session;
  const known = engine.known(query);
  if (known === undefined) return askItem(call, query, waiter);
  report?.asks(query);
  if (report === null || engine.isFresh(query)) return known;
  const fetched = isBusyAfterBurst(session).then((isBusy) =>
    isBusy ? engine.item(query, report.address ?? undefined) : known,
  );
  return telling(waiter, fetched);
}

/** The waiter is told how this ends. */
export function telling<T>(waiter: Waiter<T>, fetched: Promise<Answer<T>> | null): Asking<T> {
  if (fetched === null) return "preview";
  fetched.then(
    (answer) => waiter.ended(answer),
    (error: unknown) => waiter.ended(toInvError(error)),
  );
  return "waits";
}

/** An answer came, the service's "no" included. */
export function noteAnswer({ report }: Call, answer: Answer<unknown>): void {
  report?.answered(answer.fetchedAtMs, answer.staleBecause);
}

/** A place of the result has no value. */
export function noteFailure({ report }: Call, { error }: Refusal, place: Place): void {
  report?.failed(error, place);
}

/** The calculation is over. */
export function endCall({ report }: Call): void {
  report?.settled();
}

const bursts = new WeakMap<FunctionSession, Promise<boolean>>();

/**
 * Whether the engine has work once this burst of calls is over. A record that is no longer fresh is asked
 * for again only then: most likely the quantity beside it is being fetched in the same burst, and the two
 * must not tell of different records. On its own, reading the time of a record never makes a call.
 */
function isBusyAfterBurst(session: FunctionSession): Promise<boolean> {
  const shared = bursts.get(session);
  if (shared !== undefined) return shared;
  // One question per burst: microtasks run when the host's loop over its cells has ended.
  const asked = Promise.resolve()
    .then(() => session.timeSlices.caughtUp())
    .then(() => {
      bursts.delete(session);
      return session.engine.progress().busy;
    });
  bursts.set(session, asked);
  return asked;
}
