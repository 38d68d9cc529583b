/** Lists cells, each with what it asks for and the age of its answer. */
import { historiesOf, itemsOf } from "../../cells/cell-record";
import type { InvCell, StaleCell } from "../../cells/cell-register";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { PaneServices } from "../services";
import { askedWords, CellRows } from "./cell-rows";
import { useTick } from "./use-observable";
import { duration } from "./words";

/** `invCell` is null for a cell that this session hasn't calculated. */
type AgedCell = Pick<StaleCell, "address" | "invCell">;

export function AgedCells(props: { services: PaneServices; cells: readonly AgedCell[]; all?: number }) {
  const { services, cells, all = cells.length } = props;
  useTick(services.clock, { everyMs: 15_000, active: true });
  const nowMs = services.clock.now();
  return (
    <CellRows
      services={services}
      items={cells}
      all={all}
      hasTexts
      row={({ address, invCell }) => ({
        key: address,
        address,
        words: invCell === null ? "saved with the workbook" : agedWords(invCell, nowMs),
      })}
    />
  );
}

function agedWords(invCell: InvCell, nowMs: number): string {
  const { oldestMs } = invCell;
  const queries = [...itemsOf(invCell), ...historiesOf(invCell)];
  const [firstQuery] = queries;
  return askedWords({
    store: firstQuery === undefined ? "" : String(firstQuery.storeNumber),
    item: firstQuery === undefined ? "" : itemOf(firstQuery),
    hasOthers: queries.some(
      (query) => query.storeNumber !== firstQuery?.storeNumber || itemOf(query) !== itemOf(firstQuery),
    ),
    age: oldestMs === null ? "" : `${duration(nowMs - oldestMs)} old`,
  });
}

function itemOf(query: ItemQuery | HistoryQuery): string {
  return "gtin" in query ? query.gtin : query.value;
}
