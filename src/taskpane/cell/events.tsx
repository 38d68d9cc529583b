/** The events of the last days: a table, newest first, and a chart of the same. Times are local, as in the whole pane. */
import { useEffect, useRef, useState } from "preact/hooks";
import { meaningOf } from "../../domain/event-types";
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { HistoryAnswer } from "../../engine/types";
import { Buttons, Message, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { useLoaded, useObservable } from "../parts/use-observable";
import { count, counted, grouped } from "../../domain/number-words";
import { duration, timeOfDay } from "../parts/words";
import { kindOf, type EventKind } from "./event-kinds";

const firstRows = 30;

export function EventsView(props: {
  readonly services: PaneServices;
  readonly answer: HistoryAnswer;
  readonly query: HistoryQuery | null;
}) {
  const { services, answer, query } = props;
  const [all, setAll] = useState(false);
  const nowMs = services.clock.now();
  const title = query?.locationArea === "BACKROOM" ? "Events of the backroom" : "Events of the last days";
  if (!answer.found) {
    return (
      <Section title={title}>
        <Message intent="warning">{answer.error.message}</Message>
      </Section>
    );
  }
  const events = answer.value;
  const newestFirst = [...events].reverse();
  const shown = all ? newestFirst : newestFirst.slice(0, firstRows);
  return (
    <Section title={title}>
      {events.length === 0 ? (
        <p class="empty">The service has no event of this item in these days.</p>
      ) : (
        <>
          <Chart services={services} events={events} />
          <table class="figures-table events-table">
            <caption>
              {counted(events.length, "event")}, newest first, in your local time. Fetched{" "}
              {duration(Math.max(0, nowMs - answer.fetchedAtMs))} ago.
            </caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                <th scope="col" class="number">
                  Quantity
                </th>
                <th scope="col" class="number">
                  After
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event, index) => (
                <tr key={index}>
                  <td>{shortTime(event.createdAtMs, nowMs)}</td>
                  <td class="one-line" title={meaningOf(event.eventType)}>
                    <Mark kind={kindOf(event.eventType)} /> {event.eventType}{" "}
                    <span class="hint">{meaningOf(event.eventType).split(":")[0]}</span>
                  </td>
                  <td class="number">{event.quantity === null ? "no number" : grouped(event.quantity)}</td>
                  <td class="number">{event.quantityAfter === null ? "–" : grouped(event.quantityAfter)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {newestFirst.length > shown.length ? (
            <Buttons quiet actions={{ [`Show all ${count(newestFirst.length)}`]: () => setAll(true) }} />
          ) : null}
        </>
      )}
    </Section>
  );
}

/** Returns `11-20 14:03`. It omits the year, because the service keeps only a few days. */
function shortTime(atMs: number, nowMs: number): string {
  return timeOfDay(atMs, nowMs).replace(/^\d{4}-/, "");
}

function Mark({ kind }: { kind: EventKind }) {
  return (
    <svg class={`mark mark-${kind.id}`} viewBox="-1.3 -1.3 2.6 2.6" width="10" height="10" aria-hidden="true">
      <path d={kind.path} fill="currentColor" />
    </svg>
  );
}

function Chart({ services, events }: { services: PaneServices; events: readonly HistoryEvent[] }) {
  const theme = useObservable(services.theme);
  const host = useRef<HTMLDivElement>(null);
  const { value: chart, error } = useLoaded(
    () => import(/* webpackChunkName: "chart" */ "./events-chart"),
    [],
  );
  const kinds = [...new Set(events.map(({ eventType }) => kindOf(eventType)))];

  useEffect(
    () => (chart && host.current ? chart.drawEventsChart(host.current, events) : undefined),
    [chart, events, theme],
  );

  if (error !== null) return <p class="hint">INV couldn't load the chart. The table shows the same.</p>;
  return (
    <figure class="events-chart">
      <div ref={host} class="events-canvas" role="img" aria-label={chartWords(events)} />
      <figcaption>
        {events.some(({ quantityAfter }) => quantityAfter !== null) ? (
          <span>
            <span class="line-sample" aria-hidden="true" /> Quantity after
          </span>
        ) : null}
        {kinds.map((kind) => (
          <span key={kind.id}>
            <Mark kind={kind} /> {kind.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function chartWords(events: readonly HistoryEvent[]): string {
  const after = events.map(({ quantityAfter }) => quantityAfter).filter((quantity) => quantity !== null);
  const [first] = after;
  const last = after.at(-1);
  const line =
    first === undefined || last === undefined
      ? "The service doesn't say the quantity after them."
      : `The quantity after them goes from ${grouped(first)} to ${grouped(last)}, between ${grouped(Math.min(...after))} and ${grouped(Math.max(...after))}.`;
  return `Chart of ${counted(events.length, "event")}. ${line} The table below contains the same.`;
}
