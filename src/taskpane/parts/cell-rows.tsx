/**
 * Lists cells: where each is, its facts and its actions, and the text beside it in the sheet. Of a long list, it shows the first
 * and the number of the others.
 */
import type { ComponentChildren } from "preact";
import { parseCellAddress } from "../../workbook/addresses";
import { rowTexts } from "../../workbook/row-texts";
import type { PaneServices } from "../services";
import { CellLink } from "./cell-link";
import { Rows } from "./parts";
import { useLoaded, useObservable } from "./use-observable";
import { shortened } from "./words";

/** A list shows no more rows. */
export const mostRows = 200;

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
export function askedWords(request: {
  /** A wrong argument that is neither the store nor the item. */
  readonly received?: string | null;
  readonly store: string;
  readonly item: string;
  /** Whether the cell's formula asks for other items too. */
  readonly hasOthers?: boolean;
  /** `16 min old`, `3 min ago`. */
  readonly age: string;
}): string {
  const { received = null, store, item, hasOthers = false, age } = request;
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
  /** Whether each cell's line has the text beside it in the sheet. */
  hasTexts?: boolean;
  row: (item: T, index: number) => CellRow;
}) {
  const { services, items, row, hasTexts = false } = props;
  const all = props.all ?? items.length;
  const listed = items.slice(0, mostRows).map(row);
  const addresses = hasTexts ? listed.map(({ address }) => address).filter((each) => each !== null) : [];
  const texts = useRowTexts(services, addresses);
  return (
    <Rows
      all={all}
      label={props.label}
      rows={listed.map(({ key, address, label: shown, words, action, detail }) => {
        const text = shortened(texts.get(address ?? "") ?? "");
        const line = (
          <>
            {address === null ? (
              <span>{shown}</span>
            ) : (
              <CellLink services={services} address={address} label={shown} />
            )}
            <span>{words}</span>
            {text === "" ? null : <span>{text}</span>}
            {action}
            {detail ? <span class="row-detail">{detail}</span> : null}
          </>
        );
        return { key, line };
      })}
    />
  );
}

/** Returns the texts by address. A text is there a moment after its line. */
function useRowTexts(services: PaneServices, addresses: readonly string[]): ReadonlyMap<string, string> {
  const { cells } = services;
  const open = useObservable(services.workbook);
  const { value } = useLoaded(
    open.kind === "open" && addresses.length > 0
      ? async () => {
          const refs = addresses.map(parseCellAddress);
          const found = await rowTexts(
            { workbook: open.workbook, cells },
            refs.filter((ref) => ref !== null),
          );
          const known = addresses.filter((_, index) => refs[index] !== null);
          return new Map(known.map((address, index) => [address, found[index] ?? ""]));
        }
      : null,
    [addresses.join("\n")],
  );
  return value ?? new Map();
}
