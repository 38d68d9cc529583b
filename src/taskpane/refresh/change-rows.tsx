/**
 * Lists changes: one line for each item and store; several cells of one item are listed inside it. The list has pages, because
 * 10,000 lines at once would freeze the pane, and nobody reads them.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { addressOf, shownAs } from "../../workbook/what-changed/change-table";
import { byItem, type CellChange, type ItemChanges } from "../../workbook/what-changed/report";
import { withoutKind } from "../../workbook/cell-content";
import type { CellContent } from "../../workbook/port";
import { CellLink } from "../parts/cell-link";
import { Button, Fold } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, counted, grouped } from "../parts/words";

const perPage = 50;
const longestText = 60;

export function ChangeRows({
  services,
  changes,
}: {
  services: PaneServices;
  changes: readonly CellChange[];
}) {
  return (
    <Paged
      label="Changes"
      rows={byItem(changes)}
      draw={(group) => <ItemRow key={addressOf(group.changes[0])} services={services} group={group} />}
    />
  );
}

function Paged<T>(props: { label: string; rows: readonly T[]; draw: (row: T) => ComponentChildren }) {
  const { label, rows, draw } = props;
  const [first, setFirst] = useState(0);
  const last = Math.min(first + perPage, rows.length);
  return (
    <>
      <ul class="rows" aria-label={label}>
        {rows.slice(first, last).map(draw)}
      </ul>
      {rows.length <= perPage ? null : (
        <div class="pages">
          <Button quiet disabled={first === 0} onClick={() => setFirst(first - perPage)}>
            Previous
          </Button>
          <span role="status">
            {count(first + 1)} to {count(last)} of {count(rows.length)}
          </span>
          <Button quiet disabled={last === rows.length} onClick={() => setFirst(last)}>
            Next
          </Button>
        </div>
      )}
    </>
  );
}

function ItemRow({ services, group }: { services: PaneServices; group: ItemChanges }) {
  const { store, item, changes } = group;
  const words = [store === "" ? "" : `store ${store}`, item === "" ? "" : `item ${item}`]
    .filter((part) => part !== "")
    .join(", ");
  const [first, ...others] = changes;
  if (others.length === 0) return <ChangeRow services={services} change={first} detail={words} />;
  return (
    <li>
      <Fold
        title={
          <>
            {words}: {counted(changes.length, "cell")}
            {first.difference === null ? null : (
              <strong class="change-difference"> {signed(first.difference)}</strong>
            )}
          </>
        }
      >
        {() => (
          <Paged
            label={`Changes of ${words}`}
            rows={changes}
            draw={(change) => (
              <ChangeRow key={addressOf(change)} services={services} change={change} detail="" />
            )}
          />
        )}
      </Fold>
    </li>
  );
}

/** `detail` is the store and item, for rows without a heading that names them. */
function ChangeRow(props: { services: PaneServices; change: CellChange; detail: string }) {
  const { services, change, detail } = props;
  const { before, after, difference } = change;
  return (
    <li class="change">
      <CellLink services={services} address={addressOf(change)} />
      {difference === null ? null : <strong class="change-difference">{signed(difference)}</strong>}
      <span class="change-values">
        <span class="spoken">before </span>
        {inWords(before, change)}
        <span aria-hidden="true"> → </span>
        <span class="spoken"> after </span>
        {inWords(after, change)}
      </span>
      <span class="row-detail">{detail}</span>
    </li>
  );
}

function inWords(content: CellContent, change: CellChange): string {
  const value = withoutKind(shownAs(content, change));
  if (typeof value === "number") return grouped(value);
  const text = typeof value === "boolean" ? String(value).toUpperCase() : (value ?? "");
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

function signed(difference: number): string {
  return difference > 0 ? `+${grouped(difference)}` : `\u2212${grouped(-difference)}`;
}
