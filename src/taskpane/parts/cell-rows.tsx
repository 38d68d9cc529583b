/** Cells as a list: where each is, what is said of it, and what can be done; the rest as a number. */
import type { ComponentChildren } from "preact";
import type { PaneServices } from "../services";
import { CellLink } from "./cell-link";
import { count } from "./words";

/** Nobody reads more rows; the number says how many there are. */
const mostListed = 200;

export interface CellRow {
  readonly key: string;
  /** As the cell register spells it; null for a cell that can't be selected. */
  readonly address: string | null;
  /** Shown in place of the address. */
  readonly label?: string;
  readonly words: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly detail?: ComponentChildren;
}

export function CellRows<T>({
  services,
  items,
  all = items.length,
  label,
  row,
}: {
  services: PaneServices;
  items: readonly T[];
  /** How many there are, where `items` holds only the first. */
  all?: number;
  label?: string;
  row: (item: T, index: number) => CellRow;
}) {
  const listed = items.slice(0, mostListed);
  return (
    <>
      <ul class="rows" aria-label={label}>
        {listed.map((item, index) => {
          const { key, address, label: shown, words, action, detail } = row(item, index);
          return (
            <li key={key}>
              {address === null ? (
                <span>{shown}</span>
              ) : (
                <CellLink
                  services={services}
                  address={address}
                  {...(shown === undefined ? {} : { label: shown })}
                />
              )}
              <span>{words}</span>
              {action}
              {detail ? <span class="row-detail">{detail}</span> : null}
            </li>
          );
        })}
      </ul>
      {all > listed.length ? <p class="hint">and {count(all - listed.length)} more</p> : null}
    </>
  );
}
