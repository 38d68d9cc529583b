/** Inspect: the selected cell, why cells have no value, and the check of a list of items. */
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps, ViewProps } from "../parts/tab";
import { type View, Views } from "../parts/views";
import { ProblemBadge } from "./problem-badge";
import { useEffect, useMemo, useReducer } from "preact/hooks";
import { createInspection } from "../../workbook/inspect/inspection";
import { Buttons, Section } from "../parts/parts";
import { useTick } from "../parts/use-source";

const Problems = lazyPanel(() => import(/* webpackChunkName: "problems" */ "./problems"), "Problems");
const CheckItems = lazyPanel(
  () => import(/* webpackChunkName: "check-items" */ "./check-items"),
  "CheckItems",
);

const views: readonly View[] = [
  { id: "cell", label: "Selected cell", Panel: SelectedCell },
  { id: "problems", label: "Problems", Panel: Problems, Badge: ProblemBadge },
  { id: "check", label: "Check items", Panel: CheckItems },
];

export function InspectTab(props: TabProps) {
  return <Views {...props} tab="inspect" views={views} />;
}

const FoundCell = lazyPanel(() => import(/* webpackChunkName: "found-cell" */ "./found-cell"), "FoundCell");

/** Follows the selected cell. `found-cell` shows what INV knows about it. */
function SelectedCell(props: ViewProps) {
  return props.active ? <FollowedCell {...props} /> : null;
}

function FollowedCell(props: ViewProps) {
  const { services, workbook, active } = props;
  const { engine, cells, clock, functionPreview } = services;
  const inspection = useMemo(
    () => createInspection({ workbook, engine, cells, clock, functions: functionPreview }),
    [workbook, engine, cells, clock, functionPreview],
  );
  const [, draw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => inspection.follow(() => draw(undefined)), [inspection]);
  useTick(clock, { everyMs: 15_000, active });

  const state = inspection.state();
  if (state.kind === "looking") return <p role="status">Looking…</p>;
  if (state.kind === "nothing") {
    return (
      <Section>
        <p class="empty">
          Select a cell with an INV formula, or any cell of a row with a store and an item, to see its stock,
          its age and its events here.
        </p>
      </Section>
    );
  }
  if (state.kind === "uncalculated") {
    return (
      <Section>
        <p>Excel hasn't calculated this formula since the workbook was opened.</p>
        <p class="hint">
          If that changes nothing here, the formula has too few or too many arguments, or a name that isn't
          one of INV's.
        </p>
        <Buttons primary actions={{ "Calculate it": () => inspection.ask() }} />
      </Section>
    );
  }
  return <FoundCell {...props} found={state} onAsk={() => inspection.ask()} />;
}
