/**
 * Two folds: the cells without a number, and the stale ones, which keep their last known answers. Excel often hides the reason of an
 * error; the pane always shows it. `problem-groups` is inside.
 */
import { counted } from "../../domain/number-words";
import { lazyPanel } from "../parts/lazy-panel";
import { Fold } from "../parts/parts";
import { type ViewProps, wantedIf } from "../parts/tab";
import { useChanges } from "../parts/use-source";
import { asOfWords } from "./change-words";
import { useNameErrors } from "./name-errors";

const load = () => import(/* webpackChunkName: "problems" */ "./problem-groups");
const ProblemGroups = lazyPanel(load, "ProblemGroups");
const StaleGroups = lazyPanel(load, "StaleGroups");

export function Problems({ services, workbook, refresher, active, wanted }: ViewProps) {
  const { problemList } = services.cells;
  useChanges(problemList.subscribe);
  useChanges(services.cells.subscribe);
  useChanges(refresher.subscribe);
  const unread = useNameErrors(services, workbook, active);
  const groups = problemList.groups();
  const without = groups.reduce((sum, group) => sum + group.count, unread);
  const stale = services.cells.stale();
  return (
    <>
      {without === 0 ? null : (
        <Fold
          title={`${counted(without, "cell")} without a number`}
          wanted={wantedIf(wanted, "problems")}
          active={active}
        >
          {() => <ProblemGroups services={services} groups={groups} unread={unread} />}
        </Fold>
      )}
      {stale.length === 0 ? null : (
        <Fold title={`${counted(stale.length, "stale cell")}, ${asOfWords(stale, services)}`} active={active}>
          {() => <StaleGroups services={services} stale={stale} />}
        </Fold>
      )}
    </>
  );
}
