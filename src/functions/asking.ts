/**
 * What functions ask the engine, in the name of a formula: the register is told first which cell wants what. In a
 * preview nothing is asked that would cost a call. Events of one type are asked for so that a code nobody knows
 * and a day without sales can be told apart.
 */
import { badArgument } from "../domain/bad-argument";
import { toInvError } from "../domain/errors";
import { isDocumentedEventType, similarEventType } from "../domain/event-types";
import { wholeQuery } from "../domain/query-keys";
import type { HistoryEvent, HistoryQuery, ItemQuery, ItemRecord } from "../domain/records";
import type { Answer, HistoryAnswer, Waiter } from "../engine/answer";
import type { Asking, Formula } from "./rule";
import type { FunctionSession } from "./session";

/** Asks for an item. */
export function askItem(query: ItemQuery, formula: Formula, waiter: Waiter<ItemRecord>): Asking<ItemRecord> {
  const { session, report } = formula;
  if (formula.isPreview && !session.engine.isFresh(query)) return "preview";
  report.asks(query);
  return session.engine.ask(query, waiter, report.address ?? undefined) ?? "waits";
}

/** INV's record of an item: the one at hand, else the one that is on its way or asked for now. */
export function askRecord(
  query: ItemQuery,
  formula: Formula,
  waiter: Waiter<ItemRecord>,
): Asking<ItemRecord> {
  const { session, report } = formula;
  const { engine } = session;
  const known = engine.known(query);
  if (known === undefined) return askItem(query, formula, waiter);
  report.asks(query);
  if (formula.isPreview || engine.isFresh(query)) return known;
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

/**
 * The events a query is about; null where this is a preview and the answer is not at hand. A code that is neither
 * documented nor seen in an answer is most likely a typing error, and a filter for it may come back empty or be refused,
 * depending on what is at hand: the whole history is asked for in its place.
 */
export function fetchEvents(query: HistoryQuery, formula: Formula): Promise<HistoryAnswer> | null {
  const { eventType } = query;
  if (eventType === undefined) return fetchWhole(query, formula);
  if (isKnown(formula, eventType)) return fetchHistory(query, formula);
  return (
    fetchWhole(query, formula)?.then((whole) => {
      if (!isKnown(formula, eventType)) throw unknownType(eventType);
      return eventsOf(whole, eventType);
    }) ?? null
  );
}

/**
 * The same for a sum. The service answers a filter that nothing passes with the same 404 as an item without
 * data; the whole history tells which it is: an answer without such events makes the sum 0.
 */
export function fetchEventsToAddUp(query: HistoryQuery, formula: Formula): Promise<HistoryAnswer> | null {
  const { eventType } = query;
  const asked = fetchEvents(query, formula);
  if (asked === null || eventType === undefined) return asked;
  return asked.then(async (answer) => {
    if (answer.found || answer.error.code !== "no-data") return answer;
    const { staleBecause } = answer;
    // Nobody answered, or the person cancelled: what else is known is no reason to ask on.
    if (staleBecause !== undefined) {
      const known = formula.session.engine.knownHistory(wholeQuery(query));
      return known === undefined ? answer : { ...eventsOf(known, eventType), staleBecause };
    }
    const whole = await fetchWhole(query, formula);
    return whole === null ? answer : eventsOf(whole, eventType);
  });
}

function fetchWhole(query: HistoryQuery, formula: Formula): Promise<HistoryAnswer> | null {
  return (
    fetchHistory(wholeQuery(query), formula)?.then((answer) => {
      if (answer.found) noteTypes(formula, answer.value);
      return answer;
    }) ?? null
  );
}

function fetchHistory(query: HistoryQuery, formula: Formula): Promise<HistoryAnswer> | null {
  const { session, report } = formula;
  if (formula.isPreview && !session.engine.isFresh(query)) return null;
  report.asks(query);
  return session.engine.history(query, report.address ?? undefined);
}

function eventsOf(whole: HistoryAnswer, eventType: string): HistoryAnswer {
  if (!whole.found) return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

function isKnown({ session }: Formula, eventType: string): boolean {
  return isDocumentedEventType(eventType) || session.eventTypesSeen.has(eventType);
}

function noteTypes({ session }: Formula, events: readonly HistoryEvent[]): void {
  for (const { eventType } of events) session.eventTypesSeen.add(eventType);
}

function unknownType(eventType: string) {
  const similar = similarEventType(eventType);
  return badArgument("event_type", {
    expected: "an event code that is documented or that an answer held",
    received: `"${eventType}"`,
    todo: similar === null ? "=INV.EVENTTYPES() lists the codes." : `Was ${similar} meant?`,
  });
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
