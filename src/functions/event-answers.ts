/**
 * Asking for events of one type, so that a code nobody knows and a day without sales can be told apart.
 * A code that is neither documented nor seen in an answer is most likely a slip, and a filter for it may come
 * back empty or be refused, depending on what is at hand: the whole history is asked for in its place.
 */
import { badArgument } from "../domain/bad-argument";
import { isDocumentedEventType, similarEventType } from "../domain/event-types";
import type { HistoryEvent, HistoryQuery } from "../domain/records";
import type { HistoryAnswer } from "../engine/answer";
import { fetchHistory, type Call } from "./call";

/** The events a query is about; null where this is a preview and the answer is not at hand. */
export function fetchEvents(call: Call, query: HistoryQuery): Promise<HistoryAnswer> | null {
  const { eventType } = query;
  if (eventType === undefined) return fetchWhole(call, query);
  if (isKnown(call, eventType)) return fetchHistory(call, query);
  return (
    fetchWhole(call, query)?.then((whole) => {
      if (!isKnown(call, eventType)) throw unknownType(eventType);
      return eventsOf(whole, eventType);
    }) ?? null
  );
}

/**
 * The same for a sum. The service answers a filter that nothing passes with the same 404 as an item without
 * data; the whole history tells which it is: an answer without such events makes the sum 0.
 */
export function fetchEventsToAddUp(call: Call, query: HistoryQuery): Promise<HistoryAnswer> | null {
  const { eventType } = query;
  const asked = fetchEvents(call, query);
  if (asked === null || eventType === undefined) return asked;
  return asked.then(async (answer) => {
    if (answer.found || answer.error.code !== "no-data") return answer;
    const { staleBecause } = answer;
    // Nobody answered, or the person cancelled: what else is known is no reason to ask on.
    if (staleBecause !== undefined) {
      const known = call.session.engine.knownHistory(wholeOf(query));
      return known === undefined ? answer : { ...eventsOf(known, eventType), staleBecause };
    }
    const whole = await fetchWhole(call, query);
    return whole === null ? answer : eventsOf(whole, eventType);
  });
}

function fetchWhole(call: Call, query: HistoryQuery): Promise<HistoryAnswer> | null {
  return (
    fetchHistory(call, wholeOf(query))?.then((answer) => {
      if (answer.found) noteTypes(call, answer.value);
      return answer;
    }) ?? null
  );
}

function wholeOf(query: HistoryQuery): HistoryQuery {
  const { eventType, ...whole } = query;
  return eventType === undefined ? query : whole;
}

function eventsOf(whole: HistoryAnswer, eventType: string): HistoryAnswer {
  if (!whole.found) return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

function isKnown({ session }: Call, eventType: string): boolean {
  return isDocumentedEventType(eventType) || session.eventTypesSeen.has(eventType);
}

function noteTypes({ session }: Call, events: readonly HistoryEvent[]): void {
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
