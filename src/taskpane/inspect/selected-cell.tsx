/** The selected cell as it is followed: what is known of it is `found-cell`'s to show. The model is the workbook's. */
import { useEffect, useMemo, useReducer } from "preact/hooks";
import { createLook } from "../../workbook/inspect/look";
import { lazyPanel } from "../parts/lazy-panel";
import type { ViewProps } from "../parts/tab";
import { Button, Section } from "../parts/parts";
import { useTick } from "../parts/use-source";
import type { FoundCellProps } from "./found-cell";

/** What is known of a cell comes with the first one that INV knows something of. */
const FoundCell = lazyPanel<FoundCellProps>(async () => {
  const { FoundCell: Panel } = await import(/* webpackChunkName: "found-cell" */ "./found-cell");
  return Panel;
});

/** Follows the selection only while it is visible. */
export function SelectedCell(props: ViewProps) {
  return props.active ? <FollowedCell {...props} /> : null;
}

function FollowedCell(props: ViewProps) {
  const { services, workbook, active } = props;
  const { engine, cells, clock, readJson } = services;
  const look = useMemo(() => {
    const functions = async () => {
      const list = await import(/* webpackChunkName: "look-place" */ "../../workbook/insert/functions-list");
      return list.readFunctionsList(await readJson(list.functionsListPath));
    };
    return createLook({ workbook, engine, cells, clock, functions });
  }, [workbook, engine, cells, clock, readJson]);
  const [, draw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => look.follow(() => draw(undefined)), [look]);
  useTick(clock, { everyMs: 15_000, active });

  const state = look.state();
  if (state.kind === "looking") return <p role="status">Looking…</p>;
  if (state.kind === "nothing") {
    return (
      <Section title="Selected cell">
        <p class="empty">
          Select a cell with an INV formula, or any cell of a row with a store and an item, to see its stock,
          its age and its events here.
        </p>
      </Section>
    );
  }
  if (state.kind === "uncalculated") {
    return (
      <Section title="Selected cell">
        <p>This formula was not calculated since the workbook was opened.</p>
        <p class="hint">
          Where calculating it changes nothing here, it has too few or too many arguments, or a name that is
          not one of INV's.
        </p>
        <div class="buttons">
          <Button primary onClick={() => look.ask()}>
            Calculate it
          </Button>
        </div>
      </Section>
    );
  }
  return <FoundCell {...props} found={state} onAsk={() => look.ask()} />;
}
