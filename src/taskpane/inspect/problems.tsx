/**
 * Why cells have no value or a stale one. Groups them by reason, the largest group first; each opens to its cells. Excel often
 * hides the text of an error; the pane always shows it.
 */
import type { ProblemGroup } from "../../cells/activity";
import type { InvCell } from "../../cells/cell-register";
import { cellsWithLastAnswer } from "../../cells/unanswered-items";
import { errorTable } from "../../domain/errors";
import { AgedCells } from "../parts/aged-cells";
import { Buttons, Fold, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import type { PaneServices } from "../services";
import { useChanges } from "../parts/use-source";
import { counted, timeOfDay } from "../parts/words";
import { NameErrors } from "./name-errors";
import { ProblemRows } from "./problem-rows";

const titles = ["Not answered (#VALUE!)", "Wrong entries (#VALUE!)", "Not found (#N/A)"] as const;

export function Problems({ services, workbook, active }: ViewProps) {
  const { activity } = services.cells;
  useChanges(activity.subscribe);
  useChanges(services.cells.subscribe);
  const groups = activity.groups();
  const stale = cellsWithLastAnswer(services.cells);
  return (
    <>
      <NameErrors services={services} workbook={workbook} active={active} />
      {groups.length + stale.length === 0 ? <p class="empty">Every cell has its value.</p> : null}
      {stale.length === 0 ? null : <StaleCells services={services} stale={stale} />}
      {titles.map((title) => {
        const own = groups.filter((group) => titleOf(group) === title);
        if (own.length === 0) return null;
        return (
          <Section key={title} title={title}>
            <div class="folds">
              {own.map((group) => (
                <Fold
                  key={`${group.code} ${group.reason}`}
                  title={
                    <>
                      <strong>{counted(group.count, "cell")}</strong>: {group.reason}
                    </>
                  }
                >
                  {() => <ProblemRows group={group} services={services} />}
                </Fold>
              ))}
            </div>
          </Section>
        );
      })}
      {groups.length > 0 ? <Buttons quiet actions={{ "Clear list": () => activity.clear() }} /> : null}
    </>
  );
}

function StaleCells({ services, stale }: { services: PaneServices; stale: readonly InvCell[] }) {
  const nowMs = services.clock.now();
  const byReason = new Map<string, InvCell[]>();
  for (const invCell of stale) {
    const reason = invCell.unansweredBecause?.message ?? "";
    const group = byReason.get(reason);
    if (group) group.push(invCell);
    else byReason.set(reason, [invCell]);
  }
  return (
    <Section title="Stale: last known answers">
      {[...byReason]
        .sort(([, one], [, other]) => other.length - one.length)
        .map(([reason, invCells]) => (
          <Fold
            key={reason}
            title={
              <>
                <strong>{counted(invCells.length, "cell")}</strong>, not answered since{" "}
                {sinceWords(invCells, nowMs)}: {reason}
              </>
            }
          >
            {() => <AgedCells services={services} invCells={invCells} />}
          </Fold>
        ))}
    </Section>
  );
}

function sinceWords(invCells: readonly InvCell[], nowMs: number): string {
  const oldestMs = invCells.reduce((least, invCell) => Math.min(least, invCell.oldestMs ?? least), nowMs);
  return timeOfDay(oldestMs, nowMs);
}

/** INV never sent a wrong entry; #N/A is the service's answer; the other cells had no answer. */
function titleOf({ code }: ProblemGroup): (typeof titles)[number] {
  if (code === "bad-argument") return titles[1];
  return errorTable[code].cell === "#VALUE!" ? titles[0] : titles[2];
}
