/** Lists cells, each with what it asks for and the age of its answer. */
import { historiesOf, itemsOf } from "../../cells/cell-record";
import type { InvCell } from "../../cells/cell-register";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { PaneServices } from "../services";
import { CellRows } from "./cell-rows";
import { useTick } from "./use-source";
import { duration } from "./words";

export function AgedCells(props: { services: PaneServices; invCells: readonly InvCell[]; all?: number }) {
  const { services, invCells, all = invCells.length } = props;
  useTick(services.clock, { everyMs: 15_000, active: true });
  const nowMs = services.clock.now();
  return (
    <CellRows
      services={services}
      items={invCells}
      all={all}
      row={(invCell) => ({
        key: invCell.address,
        address: invCell.address,
        words: agedWords(invCell, nowMs),
      })}
    />
  );
}

/** Returns what the cell asks for and the age of its answer. If a formula asks for several items, it names the first. */
function agedWords(invCell: InvCell, nowMs: number): string {
  const { oldestMs } = invCell;
  const items = itemsOf(invCell);
  const histories = historiesOf(invCell);
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
