/**
 * Cells as rows of a list: where, what they ask for, how old their value is, and why the new one did not come.
 * A chunk of its own, for when a list is opened.
 */
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import { historiesOf, itemsOf } from "../../cells/cell-record";
import type { CellUse } from "../../cells/cell-register";
import { CellLink } from "../parts/cell-link";
import type { PaneServices } from "../services";
import { count, duration } from "../parts/words";

interface AgedCellsProps {
  services: PaneServices;
  nowMs: number;
  listed: readonly CellUse[];
  /** How many there are, listed or not. */
  all: number;
}

export function AgedCells({ services, nowMs, listed, all }: AgedCellsProps) {
  return (
    <>
      <ul class="rows">
        {listed.map((use) => (
          <li key={use.address}>
            <CellLink services={services} address={use.address} />
            <span>{agedWords(use, nowMs)}</span>
            <span class="row-detail">{use.error?.message}</span>
          </li>
        ))}
      </ul>
      {all > listed.length ? <p class="hint">and {count(all - listed.length)} more</p> : null}
    </>
  );
}

/** What the cell asks for and how old its answer is; of a formula that asks for several items, the first. */
function agedWords(use: CellUse, nowMs: number): string {
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
