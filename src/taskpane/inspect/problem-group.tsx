/** One reason why cells have no value: its title, and how many. Its cells come with code of their own when it is opened. */
import { useState } from "preact/hooks";
import type { ProblemGroup } from "../../cells/activity";
import { errorTable } from "../../domain/errors";
import { lazyPanel } from "../parts/lazy-panel";
import { counted } from "../parts/words";
import type { GroupProps } from "./problem-rows";

const ProblemRows = lazyPanel(async () => {
  const { ProblemRows: Rows } = await import(/* webpackChunkName: "problem-rows" */ "./problem-rows");
  return Rows;
});

export function ProblemSection(props: GroupProps) {
  const { group } = props;
  const [open, setOpen] = useState(false);
  return (
    <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{counted(group.count, "cell")}</strong>: {group.reason}
        {saysAlready(group) ? null : <span class="row-detail">{errorTable[group.code].text}</span>}
      </summary>
      {open ? <ProblemRows {...props} /> : null}
    </details>
  );
}

/** The service's own words often are the title: no need to read it twice. */
function saysAlready({ code, reason }: ProblemGroup): boolean {
  return reason.toLowerCase().includes(errorTable[code].text.toLowerCase());
}
