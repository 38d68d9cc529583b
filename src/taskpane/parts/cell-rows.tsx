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

/** Returns what a cell asks for, and when: the same for a value, a stale cell, a problem and a cell of a range formula. */
export function askedWords(asked: {
  /** A wrong argument that is neither the store nor the item. */
  readonly received?: string | null;
  readonly store: string;
  readonly item: string;
  /** Whether the cell's formula asks for other items too. */
  readonly hasOthers?: boolean;
  /** `16 min old`, `3 min ago`. */
  readonly age: string;
}): string {
  const { received = null, store, item, hasOthers = false, age } = asked;
  return [
    received === null ? "" : `received ${received}`,
    store === "" ? "" : `store ${store}`,
    item === "" ? "" : `item ${item}${hasOthers ? " and others" : ""}`,
    age,
  ]
    .filter((fact) => fact !== "")
    .join(", ");
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
