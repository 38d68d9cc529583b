/**
 * How old the values in the workbook are: the as-of time of the oldest and the newest, and the cells that
 * show a last known value because the new one did not come, with what they ask for, its age and the reason.
 */
import { useState } from "preact/hooks";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import { historiesOf, itemsOf } from "../cells/cell-record";
import type { CellUse } from "../cells/cell-register";
import { CellLink } from "./cell-link";
import { Facts, Section } from "./parts";
import type { PaneServices } from "./services";
import { useChanges, useTick } from "./use-source";
import { count, counted, duration, timeOfDay } from "./words";

/** More rows help nobody; the count says how many there are. */
const mostListed = 200;
const ageEveryMs = 15_000;

export function ValueAges({ services, active }: { services: PaneServices; active: boolean }) {
  const { cells, clock } = services;
  const [open, setOpen] = useState(false);
  useChanges(cells.subscribe);
  useTick(clock, { everyMs: ageEveryMs, active });
  const summary = cells.summary();
  const nowMs = clock.now();
  const asOf = (atMs: number | null) =>
    atMs === null ? "none yet" : `${timeOfDay(atMs, nowMs)} (${duration(nowMs - atMs)} ago)`;

  return (
    <Section title="Values in this workbook">
      {summary.cells === 0 ? (
        <p class="empty">
          No INV formula has been calculated in this session. Type one, such as{" "}
          <code>=INV.QTY(store, item)</code>, or refresh.
        </p>
      ) : (
        <Facts
          facts={[
            ["INV cells", count(summary.cells)],
            ...(summary.waiting > 0 ? [["Waiting", count(summary.waiting)] as const] : []),
            ["Oldest as of", asOf(summary.oldestMs)],
            ["Newest as of", asOf(summary.newestMs)],
            ...(summary.none > 0
              ? [["No such value", `${count(summary.none)} (#N/A, unless IFNA)`] as const]
              : []),
            ...(summary.unanswered > 0
              ? [["Not answered", `${count(summary.unanswered)} (#VALUE!)`] as const]
              : []),
          ]}
        />
      )}
      {summary.stale > 0 ? (
        <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{counted(summary.stale, "stale cell")}: last known values</summary>
          {open && active ? <StaleList services={services} nowMs={nowMs} all={summary.stale} /> : null}
        </details>
      ) : null}
    </Section>
  );
}

function StaleList({ services, nowMs, all }: { services: PaneServices; nowMs: number; all: number }) {
  const listed: CellUse[] = [];
  for (const use of services.cells.all()) {
    if (use.state === "stale") listed.push(use);
    if (listed.length === mostListed) break;
  }
  return (
    <>
      <ul class="rows">
        {listed.map((use) => (
          <li key={use.address}>
            <CellLink services={services} address={use.address} />
            <span>{staleWords(use, nowMs)}</span>
            <span class="row-detail">{use.error?.message}</span>
          </li>
        ))}
      </ul>
      {all > listed.length ? <p class="hint">and {count(all - listed.length)} more</p> : null}
    </>
  );
}

/** What the cell asks for and how old its answer is; of a formula that asks for several items, the first. */
function staleWords(use: CellUse, nowMs: number): string {
  const { oldestMs } = use;
  const items = itemsOf(use);
  const histories = historiesOf(use);
  const asked = items[0] ?? histories[0];
  const facts: string[] = [];
  if (asked !== undefined) {
    const isOther = (query: ItemQuery | HistoryQuery): boolean =>
      query.storeNumber !== asked.storeNumber || itemOf(query) !== itemOf(asked);
    const others = items.some(isOther) || histories.some(isOther) ? " and others" : "";
    facts.push(`store ${asked.storeNumber}`, `item ${itemOf(asked)}${others}`);
  }
  if (oldestMs !== null) facts.push(`${duration(nowMs - oldestMs)} old`);
  return facts.join(", ");
}

function itemOf(query: ItemQuery | HistoryQuery): string {
  return "gtin" in query ? query.gtin : query.value;
}
