/**
 * What INV knows about a cell: its numbers with their ages, or why it has none, and the events of the last days. INV requests
 * the rest only at a click, and shows the cost first.
 */
import type { Found } from "../../workbook/inspect/inspection";
import { CellLink } from "../parts/cell-link";
import { lazyPanel } from "../parts/lazy-panel";
import { Failure } from "../parts/load-status";
import type { ViewProps } from "../parts/tab";
import { Buttons, Facts, Message, Section, Fold } from "../parts/parts";
import { counted, grouped } from "../../domain/number-words";
import { duration, timeOfDay, areaWords } from "../parts/words";
import { EventsView } from "./events";
import type { ItemRecord } from "../../domain/records";

const CellProblem = lazyPanel(
  () => import(/* webpackChunkName: "cell-problem" */ "./cell-problem"),
  "CellProblem",
);

export function FoundCell(props: ViewProps & { readonly found: Found; readonly onAsk: () => void }) {
  const { services, connection, found, onAsk } = props;
  const { inspectedCell, item, price, asking, failed } = found;
  const nowMs = services.clock.now();
  const { environmentId } = inspectedCell.invCell ?? {};
  const isEarlier = environmentId !== undefined && environmentId !== connection.environment?.id;
  return (
    <>
      <Section>
        <Facts
          facts={[
            [
              inspectedCell.from === "formula" ? "Formula in" : "Row of",
              <CellLink key="cell" services={services} address={inspectedCell.address} />,
            ],
            ...askedFacts(found),
            ...(item
              ? [
                  [
                    "Fetched",
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
        {inspectedCell.problem || (item && !item.found) ? <CellProblem {...props} /> : null}
        {price || asking ? (
          <div class="ask" role="status">
            <p>{asking ? "Asking…" : costWords(found, nowMs)}</p>
            <Buttons
              primary={!item}
              disabled={asking || !connection.hasCredentials}
              actions={{ [item ? "Bring up to date" : "Ask"]: onAsk }}
            />
          </div>
        ) : null}
        <Failure error={failed} />
      </Section>
      {item?.found ? <ItemRecordView record={item.value} nowMs={nowMs} /> : null}
      {found.history ? (
        <EventsView
          key={inspectedCell.address}
          services={services}
          answer={found.history}
          query={found.historyQuery}
        />
      ) : null}
    </>
  );
}

function askedFacts({ inspectedCell, item }: Found): (readonly [string, string])[] {
  const query = inspectedCell.item;
  if (query === null) return [];
  const itemNumber = item?.found && query.itemType === "gtin" ? item.value.itemNumber : null;
  const gtin = item?.found && query.itemType !== "gtin" ? item.value.gtin : null;
  return [
    ["Store", String(query.storeNumber)],
    [query.itemType === "gtin" ? "GTIN" : "Item number", query.value],
    ...(itemNumber === null ? [] : [["Item number", itemNumber] as const]),
    ...(gtin === null ? [] : [["GTIN", gtin] as const]),
    ...(inspectedCell.others > 0
      ? [
          [
            "And",
            `${counted(inspectedCell.others, "more item")} of this formula. The first is shown`,
          ] as const,
        ]
      : []),
  ];
}

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

/** An item at a store: its quantity by area and state, its consumer-item level, and when it was updated. */
function ItemRecordView({ record, nowMs }: { record: ItemRecord; nowMs: number }) {
  const { locations, cids, lastUpdatedMs, lastUpdatedFault } = record;
  const areas = [...new Set(locations.map(({ locationArea }) => locationArea))];
  const states = [...new Set(locations.map(({ state }) => state))];
  const quantity = (area: string, state: string): string => {
    const found = locations.filter((location) => location.locationArea === area && location.state === state);
    if (found.length === 0) return "–";
    return found
      .map(({ quantity, fault }) =>
        quantity === null ? (fault ?? "two different answers") : grouped(quantity),
      )
      .join("; ");
  };
  return (
    <Section title="Stock">
      {locations.length === 0 ? (
        <p class="empty">The service has the item, but no inventory record in any location area.</p>
      ) : (
        <table class="figures-table">
          <caption class="spoken">Quantity by location area and state</caption>
          <thead>
            <tr>
              <th scope="col">Where</th>
              {states.map((state) => (
                <th key={state} scope="col" class="number">
                  {state.replaceAll("_", " ").toLowerCase()}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {areas.map((area) => (
              <tr key={area}>
                <th scope="row">{areaWords(area)}</th>
                {states.map((state) => (
                  <td key={state} class="number">
                    {quantity(area, state)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Facts
        facts={[
          [
            "Updated",
            lastUpdatedMs === null
              ? (lastUpdatedFault ?? "the service doesn't say")
              : `${timeOfDay(lastUpdatedMs, nowMs)} (${duration(Math.max(0, nowMs - lastUpdatedMs))} ago)`,
          ],
        ]}
      />
      {cids.length === 0 ? null : (
        <Fold title="Details">
          {() => (
            <Facts
              facts={cids.map(({ cid, crossReferences }) => ["CID", cidText(cid, crossReferences)] as const)}
            />
          )}
        </Fold>
      )}
    </Section>
  );
}

/**
 * Returns the consumer-item id with its cross references. The documentation doesn't describe their elements, so any shape is
 * shown.
 */
function cidText(cid: number | null, crossReferences: readonly unknown[]): string {
  const name = cid === null ? "not readable" : String(cid);
  const shown = crossReferences.map(entryText);
  return shown.length === 0 ? name : `${name}: ${shown.join("; ")}`;
}

function entryText(entry: unknown): string {
  const value = typeof entry === "string" ? parsedOrText(entry) : entry;
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${typeof part === "string" ? part : JSON.stringify(part)}`)
    .join(", ");
}

/** Some cross references are JSON in a string. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
