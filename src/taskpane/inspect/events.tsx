/**
 * The events of the last days: a chart that comes as a chunk of its own, and the same as a table, newest first.
 * The chart says nothing that the table does not. Times are the planner's own, as everywhere in the pane.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { meaningOf } from "../../domain/event-types";
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { HistoryAnswer } from "../../engine/answer";
import { Button, Message, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { useSource } from "../parts/use-source";
import { count, counted, duration, timeOfDay } from "../parts/words";
import { kindOf, type EventKind } from "./event-kinds";

const firstRows = 30;

export function EventsView({
  services,
  answer,
  query,
}: {
  readonly services: PaneServices;
  readonly answer: HistoryAnswer;
  readonly query: HistoryQuery | null;
}) {
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
                  <td class="number">{event.quantity ?? "no number"}</td>
                  <td class="number">{event.quantityAfter ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {newestFirst.length > shown.length ? (
            <div class="buttons">
              <Button quiet onClick={() => setAll(true)}>
                Show all {count(newestFirst.length)}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Section>
  );
}

/** `11-20 14:03`; the year says nothing in the days the service keeps. */
function shortTime(atMs: number, nowMs: number): string {
  return timeOfDay(atMs, nowMs).replace(/^\d{4}-/, "");
}

function Mark({ kind }: { kind: EventKind }) {
  return (
    <svg class={`mark mark-${kind.id}`} viewBox="-1.3 -1.3 2.6 2.6" width="10" height="10" aria-hidden="true">
      {kind.corners === null ? (
        <circle r="0.9" fill="currentColor" />
      ) : (
        <polygon points={kind.corners.map((corner) => corner.join(",")).join(" ")} fill="currentColor" />
      )}
    </svg>
  );
}

function Chart({ services, events }: { services: PaneServices; events: readonly HistoryEvent[] }) {
  const theme = useSource(services.theme);
  const host = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const kinds = [...new Set(events.map(({ eventType }) => kindOf(eventType)))];

  useEffect(() => {
    let current = true;
    let remove = (): void => undefined;
    import(/* webpackChunkName: "chart" */ "./events-chart").then(
      ({ drawEventsChart }) => {
        if (current && host.current) remove = drawEventsChart(host.current, events);
      },
      () => current && setFailed(true),
    );
    return () => {
      current = false;
      remove();
    };
  }, [events, theme]);

  if (failed) return <p class="hint">The chart couldn't be loaded. The table shows the same.</p>;
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
      ? "The service does not say the quantity after them."
      : `The quantity after them goes from ${first} to ${last}, between ${Math.min(...after)} and ${Math.max(...after)}.`;
  return `Chart of ${counted(events.length, "event")}. ${line} The table below holds the same.`;
}
