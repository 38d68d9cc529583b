/** Changes as rows, page by page: 10,000 at once would hold the pane up, and nobody reads them. */
import { useState } from "preact/hooks";
import { addressOf, shownAs } from "../../workbook/what-changed/change-table";
import type { CellChange } from "../../workbook/what-changed/report";
import { withoutKind } from "../../workbook/cell-content";
import type { CellContent } from "../../workbook/port";
import { CellLink } from "../parts/cell-link";
import { Button } from "../parts/parts";
import type { PaneServices } from "../services";
import { count } from "../parts/words";

const perPage = 50;
const longestText = 60;

interface ChangeRowsProps {
  services: PaneServices;
  changes: readonly CellChange[];
}

export function ChangeRows({ services, changes }: ChangeRowsProps) {
  const [first, setFirst] = useState(0);
  const last = Math.min(first + perPage, changes.length);
  return (
    <>
      <ul class="rows" aria-label="Changes">
        {changes.slice(first, last).map((change) => (
          <ChangeRow key={addressOf(change)} services={services} change={change} />
        ))}
      </ul>
      {changes.length <= perPage ? null : (
        <div class="pages">
          <Button quiet disabled={first === 0} onClick={() => setFirst(first - perPage)}>
            Previous
          </Button>
          <span role="status">
            {count(first + 1)} to {count(last)} of {count(changes.length)}
          </span>
          <Button quiet disabled={last === changes.length} onClick={() => setFirst(last)}>
            Next
          </Button>
        </div>
      )}
    </>
  );
}

function ChangeRow({ services, change }: { services: PaneServices; change: CellChange }) {
  const { store, item, before, after, difference } = change;
  const asked = [store === "" ? "" : `store ${store}`, item === "" ? "" : `item ${item}`];
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
      <span class="row-detail">{asked.filter((part) => part !== "").join(", ")}</span>
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

/** With its fraction, which a count has not. */
function grouped(value: number): string {
  return String(value).replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ","));
}
