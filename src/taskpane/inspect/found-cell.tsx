/**
 * A cell that INV knows something of: its numbers with their ages, why it has none, and the events of the last days. What
 * is known is shown at once; what is not is priced first, and asked for by a click.
 */
import type { Found } from "../../workbook/inspect/look";
import { CellLink } from "../parts/cell-link";
import { lazyPanel } from "../parts/lazy-panel";
import type { ViewProps } from "../parts/tab";
import { Button, Facts, Message, Section } from "../parts/parts";
import { counted, duration, timeOfDay } from "../parts/words";
import { EventsView } from "./events";
import { ItemRecordView } from "./item-record";

/** Reasons and corrections come with the first cell that has no value. */
const CellProblem = lazyPanel(async () => {
  const { CellProblem: Panel } = await import(/* webpackChunkName: "cell-problem" */ "./cell-problem");
  return Panel;
});

export interface FoundCellProps extends ViewProps {
  readonly found: Found;
  readonly onAsk: () => void;
}

export function FoundCell(props: FoundCellProps) {
  const { services, connection, found, onAsk } = props;
  const { subject, item, price, asking, failed } = found;
  const nowMs = services.clock.now();
  const { environmentId } = subject.use ?? {};
  const isEarlier = environmentId !== undefined && environmentId !== connection.environment?.id;
  return (
    <>
      <Section title="Selected cell">
        <Facts
          facts={[
            [
              subject.from === "formula" ? "Formula in" : "Row of",
              <CellLink key="cell" services={services} address={subject.address} />,
            ],
            ...askedFacts(found),
            ...(item
              ? [
                  [
                    "Asked",
                    `${timeOfDay(item.fetchedAtMs, nowMs)} (${duration(nowMs - item.fetchedAtMs)} ago)`,
                  ] as const,
                ]
              : []),
            ["Environment", connection.environment?.label ?? "none"],
          ]}
        />
        {isEarlier ? (
          <Message intent="warning">
            The cell still shows a value from before the change to{" "}
            {connection.environment?.label ?? "no environment"}.
          </Message>
        ) : null}
        {subject.problem || (item && !item.found) ? <CellProblem {...props} /> : null}
        {price || asking ? (
          <div class="ask" role="status">
            {asking ? <p>Asking…</p> : <p>{costWords(found, nowMs)}</p>}
            <div class="buttons">
              <Button primary={!item} disabled={asking || !connection.hasCredentials} onClick={onAsk}>
                {item ? "Bring up to date" : "Ask"}
              </Button>
            </div>
          </div>
        ) : null}
        {failed ? (
          <div role="alert">
            <Message intent="error">{failed.message}</Message>
          </div>
        ) : null}
      </Section>
      {item?.found ? <ItemRecordView record={item.value} nowMs={nowMs} /> : null}
      {found.history ? (
        <EventsView
          key={subject.address}
          services={services}
          answer={found.history}
          query={found.historyQuery}
        />
      ) : null}
    </>
  );
}

function askedFacts({ subject, item }: Found): (readonly [string, string])[] {
  const query = subject.item;
  if (query === null) return [];
  const itemNumber = item?.found && query.itemType === "gtin" ? item.value.itemNumber : null;
  const gtin = item?.found && query.itemType !== "gtin" ? item.value.gtin : null;
  return [
    ["Store", String(query.storeNumber)],
    [query.itemType === "gtin" ? "GTIN" : "Item number", query.value],
    ...(itemNumber === null ? [] : [["Item number", itemNumber] as const]),
    ...(gtin === null ? [] : [["GTIN", gtin] as const]),
    ...(subject.others > 0
      ? [["And", `${counted(subject.others, "more item")} of this formula; the first is shown`] as const]
      : []),
  ];
}

/** What asking for the rest costs, and how old what is shown is. */
function costWords({ price, item, history }: Found, nowMs: number): string {
  if (price === null) return "";
  const { searchCalls, eventCallsAtLeast } = price;
  const parts: string[] = [];
  if (searchCalls > 0) parts.push(`${counted(searchCalls, "request")} for its stock`);
  if (eventCallsAtLeast > 0) parts.push(`at least ${counted(eventCallsAtLeast, "request")} for its events`);
  const cost = `${capital(parts.join(" and "))}.`;
  if (item && searchCalls > 0) return `The stock is ${duration(nowMs - item.fetchedAtMs)} old. ${cost}`;
  if (history && eventCallsAtLeast > 0) {
    return `The events are ${duration(nowMs - history.fetchedAtMs)} old. ${cost}`;
  }
  return cost;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
