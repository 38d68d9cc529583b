/** Lists cells: where each is, its facts and its actions. Of a long list, it shows the first and the number of the others. */
import type { ComponentChildren } from "preact";
import type { PaneServices } from "../services";
import { CellLink } from "./cell-link";
import { count } from "./words";

const mostRows = 200;

export interface CellRow {
  readonly key: string;
  /** The address as the cell register writes it; null for a cell that can't be selected. */
  readonly address: string | null;
  readonly label?: string;
  readonly words: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly detail?: ComponentChildren;
}

export function CellRows<T>(props: {
  services: PaneServices;
  items: readonly T[];
  all?: number;
  label?: string;
  row: (item: T, index: number) => CellRow;
}) {
  const { services, items, row } = props;
  const all = props.all ?? items.length;
  const listed = items.slice(0, mostRows);
  return (
    <>
      <ul class="rows" aria-label={props.label}>
        {listed.map((item, index) => {
          const { key, address, label: shown, words, action, detail } = row(item, index);
          return (
            <li key={key}>
              {address === null ? (
                <span>{shown}</span>
              ) : (
                <CellLink services={services} address={address} label={shown} />
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
