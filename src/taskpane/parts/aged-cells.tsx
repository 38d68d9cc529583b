/** Lists cells, each with what it asks for and the age of its answer. */
import { historiesOf, itemsOf } from "../../cells/cell-record";
import type { InvCell } from "../../cells/cell-register";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { PaneServices } from "../services";
import { askedWords, CellRows } from "./cell-rows";
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

function agedWords(invCell: InvCell, nowMs: number): string {
  const { oldestMs } = invCell;
  const queries = [...itemsOf(invCell), ...historiesOf(invCell)];
  const [asked] = queries;
  return askedWords({
    store: asked === undefined ? "" : String(asked.storeNumber),
    item: asked === undefined ? "" : itemOf(asked),
    hasOthers: queries.some(
      (query) => query.storeNumber !== asked?.storeNumber || itemOf(query) !== itemOf(asked),
    ),
    age: oldestMs === null ? "" : `${duration(nowMs - oldestMs)} old`,
  });
}

function itemOf(query: ItemQuery | HistoryQuery): string {
  return "gtin" in query ? query.gtin : query.value;
}
