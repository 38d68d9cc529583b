/**
 * Look: what the selected cell is, why, and what next; beside it the check of a list of items, and building a
 * formula. A chunk of its own: nothing here is needed before somebody looks.
 */
import { useState } from "preact/hooks";
import { Message } from "../parts/parts";
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { SelectedCellView } from "./selected-cell";

/** Few who look also check a list: its validator comes when it is asked for. */
const CheckItems = lazyPanel(async () => {
  const { CheckItems: Panel } = await import(/* webpackChunkName: "check-items" */ "./check-items");
  return Panel;
});

/** What builds formulas comes with the first. */
const InsertView = lazyPanel(async () => {
  const { InsertView: Panel } = await import(/* webpackChunkName: "insert" */ "../build/insert");
  return Panel;
});

const views = [
  { id: "cell", label: "Selected cell" },
  { id: "check", label: "Check items" },
  { id: "insert", label: "Insert" },
] as const;
type View = (typeof views)[number]["id"];

export function LookTab(props: TabProps) {
  const { workbook } = props;
  const [view, setView] = useState<View>("cell");
  const [visited, setVisited] = useState<ReadonlySet<View>>(new Set());
  if (workbook.kind === "starting") return <p>Waiting for the workbook…</p>;
  if (workbook.kind === "none") return <p>No workbook is open here, so there is no cell to look at.</p>;
  if (workbook.kind === "failed") return <Message intent="error">{workbook.error.message}</Message>;
  const open = workbook.workbook;
  function show(next: View): void {
    setView(next);
    setVisited(new Set([...visited, next]));
  }
  /** What was picked or found in a view is there again after a look elsewhere. */
  function kept(id: View, Panel: typeof InsertView) {
    if (!visited.has(id)) return null;
    return (
      <div class="view" hidden={view !== id}>
        <Panel {...props} workbook={open} active={props.active && view === id} />
      </div>
    );
  }
  return (
    <>
      <fieldset class="views">
        <legend class="spoken">What to look at</legend>
        {views.map(({ id, label }) => (
          <label key={id}>
            <input type="radio" name="inv-look" checked={view === id} onChange={() => show(id)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {view === "cell" && props.active ? <SelectedCellView {...props} workbook={open} /> : null}
      {kept("insert", InsertView)}
      {kept("check", CheckItems)}
    </>
  );
}
