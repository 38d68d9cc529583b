/**
 * The functions that make one value of a history. They ask for the same histories as INV.EVENTS, so the
 * engine shares one fetch among all of them. A sum is 0 where the service answered with a history that holds
 * no such event: no sales is a number. The time of an event that did not happen is #N/A.
 */
import { badArgument } from "../domain/bad-argument";
import { InvError } from "../domain/errors";
import type { HistoryEvent, HistoryQuery } from "../domain/records";
import { evaluateGrid, overRanges, whenFound } from "./calculate";
import type { HistoryAnswer } from "../engine/types";
import type { Call } from "./call";
import { askEvents, askEventsToAddUp } from "./event-answers";
import { withFirstAid } from "./first-aid";
import type { Shape } from "./grid";
import { timeFromMs, type Shown } from "./present";
import { historyQueries, type Queries } from "./queries";
import { isRefusal, refusalOf, type Refusal } from "./values";

/** EVENTQTY: the sum of the quantities of one event type. Types are never mixed: their signs are not documented. */
export const eventQuantities = overRanges<
  "store" | "gtin" | "event_type" | "start_date" | "end_date" | "location_area"
>((layout, call) => {
  const queries = historyQueries(layout.grids, call.session.now());
  return historyGrid({ shape: layout.shape, queries: { ...queries, query: oneTypeOnly(queries) } }, call, {
    ask: (query) => askEventsToAddUp(call, query),
    read(found) {
      let sum = 0;
      for (const { eventType, quantity } of found) {
        if (quantity === null) return refusalOf(unreadableQuantity(eventType));
        sum += quantity;
      }
      return sum;
    },
  });
});

/** LASTEVENT: when the latest event happened. */
export const lastEventTimes = overRanges<"store" | "gtin" | "event_type" | "location_area">(
  (layout, call) => {
    const queries = historyQueries(layout.grids, call.session.now());
    return historyGrid({ shape: layout.shape, queries }, call, {
      ask: (query) => askEvents(call, query),
      read(found, query) {
        if (found.length === 0) return refusalOf(noEvents(query));
        let latestMs = -Infinity;
        for (const { createdAtMs } of found) latestMs = Math.max(latestMs, createdAtMs);
        return timeFromMs(latestMs);
      },
    });
  },
);

interface HistoryGrid {
  readonly shape: Shape;
  readonly queries: Queries<HistoryQuery>;
}

interface HistoryReading {
  ask(query: HistoryQuery): Promise<HistoryAnswer> | null;
  read(found: readonly HistoryEvent[], query: HistoryQuery | Refusal | null): Shown;
}

function historyGrid(
  { shape, queries }: HistoryGrid,
  call: Call,
  { ask, read }: HistoryReading,
): Promise<Shown[][]> {
  return evaluateGrid(
    {
      shape,
      given: queries.given,
      ask(row, col) {
        const query = queries.query(row, col);
        if (query === null) return "";
        return isRefusal(query) ? query : ask(query);
      },
      read(answer, row, col) {
        const query = queries.query(row, col);
        return withFirstAid(
          whenFound(answer, (found) => read(found, query)),
          query,
        );
      },
    },
    call,
  );
}

function oneTypeOnly(queries: Queries<HistoryQuery>): Queries<HistoryQuery>["query"] {
  return (row, col) => {
    const query = queries.query(row, col);
    if (query === null || isRefusal(query) || query.eventType !== undefined) return query;
    return refusalOf(
      badArgument("event_type", {
        expected: "an event code such as SALES",
        received: "nothing",
        todo: "=INV.EVENTTYPES() lists the codes.",
      }),
    );
  };
}

function noEvents(query: HistoryQuery | Refusal | null): InvError {
  const type = query === null || isRefusal(query) ? undefined : query.eventType;
  const what = type === undefined ? "events" : `${type} events`;
  return new InvError("no-events", `There are no ${what} in these dates and this location area.`);
}

/** Of an event whose quantity is missing or is no number: a sum without it would be a wrong number. */
export function unreadableQuantity(eventType: string): InvError {
  const message = `The service gave a quantity of a ${eventType.slice(0, 20)} event that is no number. Refresh; if it stays, tell support.`;
  return new InvError("bad-answer", message);
}
