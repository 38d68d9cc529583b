/** Cells that a report of changes leaves out, each with the reason, to be gone to. */
import { addressOf } from "../../workbook/what-changed/change-table";
import type { NotCompared } from "../../workbook/what-changed/report";
import { CellLink } from "../parts/cell-link";
import type { PaneServices } from "../services";
import { count, counted } from "../parts/words";

/** More rows help nobody; the count says how many there are. */
const mostListed = 200;

const reasons: Readonly<Record<NotCompared["reason"], string>> = {
  edited: "edited or moved during the refresh",
  "asks-else": "asks for another item, event type or dates than before",
};

interface NotComparedProps {
  services: PaneServices;
  notCompared: readonly NotCompared[];
}

export function NotComparedList({ services, notCompared }: NotComparedProps) {
  const more = notCompared.length - mostListed;
  return (
    <details class="group">
      <summary>{counted(notCompared.length, "cell")} not compared</summary>
      <ul class="rows" aria-label="Not compared">
        {notCompared.slice(0, mostListed).map(({ cell, reason }) => (
          <li key={addressOf(cell)}>
            <CellLink services={services} address={addressOf(cell)} />
            <span>{reasons[reason]}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="hint">and {count(more)} more</p> : null}
    </details>
  );
}
