/**
 * Two folds: the cells without a number, and the stale ones, which keep their last known answers. Excel often hides the reason of an
 * error; the pane always shows it. `problem-groups` is inside.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { errorTable } from "../../domain/errors";
import { count, counted } from "../../domain/number-words";
import { unawaited } from "../../domain/unawaited";
import { findNameErrors } from "../../workbook/inspect/name-errors";
import type { Workbook } from "../../workbook/port";
import { lazyPanel } from "../parts/lazy-panel";
import { Fold } from "../parts/parts";
import { type ViewProps, requestIf } from "../parts/tab";
import { useChanges } from "../parts/use-observable";
import type { PaneServices } from "../services";
import { asOfWords } from "./change-words";

const load = () => import(/* webpackChunkName: "problems" */ "./problem-groups");
const ProblemGroups = lazyPanel(load, "ProblemGroups");
const StaleGroups = lazyPanel(load, "StaleGroups");

export function Problems({ services, workbook, refresher, active, requestedPart }: ViewProps) {
  const { problemList } = services.cells;
  useChanges(problemList.subscribe);
  useChanges(services.cells.subscribe);
  useChanges(refresher.subscribe);
  const unread = useNameErrors(services, workbook, active);
  const groups = problemList.groups();
  const without = groups.reduce((sum, group) => sum + group.count, unread);
  const absent = groups
    .filter(({ code }) => errorTable[code].kind === "absent")
    .reduce((sum, group) => sum + group.count, 0);
  const stale = services.cells.stale();
  return (
    <>
      {without === 0 ? null : (
        <Fold
          title={`${counted(without, "cell")} without a number${answeredWords(absent, without)}`}
          openRequest={requestIf(requestedPart, "problems")}
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

/** "There is none" is an answer, and no fault. */
function answeredWords(absent: number, all: number): string {
  if (absent === all) return ": the service has none";
  return absent === 0 ? "" : `: the service has none for ${count(absent)}`;
}

/** Lets the pane and the cost of a refresh load first. */
const settleMs = 1_000;
/** Pause between searches, as a multiple of the last search's duration: a large workbook takes seconds. */
const restFactor = 20;

/**
 * Returns how many INV formulas show #NAME?, 0 until the search has ended. It begins a moment after the tab is shown: it reads the whole
 * workbook, and few workbooks have any.
 */
function useNameErrors(services: PaneServices, workbook: Workbook, active: boolean): number {
  const [found, setFound] = useState(0);
  const restsUntil = useRef(0);
  const { clock, cells: register } = services;
  /** A search's result counts while this is unchanged, even if the person has left the tab. */
  const currentWorkbook = useRef(workbook);
  currentWorkbook.current = workbook;

  useEffect(() => {
    if (!active) return;
    async function look(): Promise<void> {
      const beganMs = clock.steadyNow();
      if (beganMs < restsUntil.current) return;
      const cells = await findNameErrors(workbook, register);
      const endedMs = clock.steadyNow();
      restsUntil.current = endedMs + restFactor * (endedMs - beganMs);
      if (currentWorkbook.current === workbook) setFound(cells.length);
    }
    // Other parts of the pane report a workbook that can't be read.
    const timer = clock.setTimeout(() => unawaited(look().catch(() => undefined)), settleMs);
    return () => clock.clearTimeout(timer);
  }, [workbook, active, clock, register]);

  return found;
}
