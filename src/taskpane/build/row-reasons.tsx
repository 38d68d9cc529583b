/** Rows and what is wrong with each. Shows only the first `mostShown`. */
import { count } from "../parts/words";

const mostShown = 5;

export function RowReasons({ rows }: { rows: readonly { readonly row: number; readonly reason: string }[] }) {
  return (
    <ul class="plain">
      {rows.slice(0, mostShown).map(({ row, reason }) => (
        <li key={row}>
          Row {row}: {reason}
        </li>
      ))}
      {rows.length > mostShown ? <li>and {count(rows.length - mostShown)} more</li> : null}
    </ul>
  );
}
