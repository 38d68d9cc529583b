/**
 * Why cells have no value or a stale one. Groups them by reason, the largest group first; each opens to its cells. Excel often
 * hides the text of an error; the pane always shows it.
 */
import { errorTable } from "../../domain/errors";
import { asOfOldest, oldestTimeMs } from "../../workbook/refresh/earlier-values";
import type { StaleCell } from "../../cells/cell-register";
import { AgedCells } from "../parts/aged-cells";
import { Buttons, Fold, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import type { PaneServices } from "../services";
import { useChanges } from "../parts/use-source";
import { counted } from "../../domain/number-words";
import { timeOfDay } from "../parts/words";
import { NameErrors } from "./name-errors";
import { ProblemRows } from "./problem-rows";

/** In the order in which a planner acts on them. */
const sections = [
  ["unanswered", "Not answered (#VALUE!)"],
  ["failed", "Failed (#VALUE!)"],
  ["wrong-entry", "Wrong entries (#VALUE!)"],
  ["absent", "Not found (#N/A)"],
] as const;

export function Problems({ services, workbook, refresher, active }: ViewProps) {
  const { activity } = services.cells;
  useChanges(activity.subscribe);
  useChanges(services.cells.subscribe);
  useChanges(refresher.subscribe);
  const groups = activity.groups();
  const stale = services.cells.stale();
  return (
    <>
      <NameErrors services={services} workbook={workbook} active={active} />
      {groups.length + stale.length === 0 ? <p class="empty">Every cell has its value.</p> : null}
      {stale.length === 0 ? null : <StaleCells services={services} stale={stale} />}
      {sections.map(([kind, title]) => {
        const own = groups.filter(({ code }) => errorTable[code].kind === kind);
        if (own.length === 0) return null;
        return (
          <Section key={kind} title={title}>
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
      {groups.some((group) => group.cells.some(({ address }) => address === null)) ? (
        <Buttons quiet actions={{ "Clear problems without a cell": () => activity.forgetUnplaced() }} />
      ) : null}
    </>
  );
}

function StaleCells({ services, stale }: { services: PaneServices; stale: readonly StaleCell[] }) {
  const byReason = new Map<string, StaleCell[]>();
  for (const each of stale) {
    const group = byReason.get(each.because.message);
    if (group) group.push(each);
    else byReason.set(each.because.message, [each]);
  }
  return (
    <Section title="Stale: last known answers">
      {[...byReason]
        .sort(([, one], [, other]) => other.length - one.length)
        .map(([reason, group]) => (
          <Fold
            key={reason}
            title={
              <>
                <strong>{counted(group.length, "cell")}</strong>, {sinceWords(group, services)}: {reason}
              </>
            }
          >
            {() => <AgedCells services={services} cells={group} />}
          </Fold>
        ))}
    </Section>
  );
}

function sinceWords(stale: readonly StaleCell[], { age, clock }: PaneServices): string {
  const own = stale.flatMap(({ invCell }) => invCell ?? []);
  const asOf = asOfOldest(oldestTimeMs(own), own.length === stale.length ? null : age.get().earlier);
  return typeof asOf === "number"
    ? `not answered since ${timeOfDay(asOf, clock.now())}`
    : "not answered, age unknown";
}
