/** Cell: what INV knows about the selected cell. `found-cell` shows it. */
import { useEffect, useMemo, useReducer } from "preact/hooks";
import { cellAddresses } from "../../workbook/addresses";
import { createInspection } from "../../workbook/inspect/inspection";
import { lazyPanel } from "../parts/lazy-panel";
import { NoWorkbook } from "../parts/no-workbook";
import { Buttons, Section } from "../parts/parts";
import type { TabProps, ViewProps } from "../parts/tab";
import { useTick } from "../parts/use-observable";

const FoundCell = lazyPanel(() => import(/* webpackChunkName: "found-cell" */ "./found-cell"), "FoundCell");

export function CellTab({ workbook, ...props }: TabProps) {
  if (workbook.kind !== "open") return <NoWorkbook workbook={workbook} />;
  // A hidden tab doesn't follow the selection.
  return props.active ? (
    <FollowedCell {...props} workbook={workbook.workbook} refresher={workbook.refresher} />
  ) : null;
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
        <p>
          Excel hasn't calculated the formula in {cellAddresses(state.cell)[0]} since the workbook was opened.
        </p>
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
