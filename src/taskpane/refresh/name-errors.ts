/**
 * Looks for INV formulas that show #NAME?, a moment after the tab is shown: the search reads the whole workbook, and few workbooks
 * have any.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { unawaited } from "../../domain/unawaited";
import { findNameErrors } from "../../workbook/inspect/name-errors";
import type { Workbook } from "../../workbook/port";
import type { PaneServices } from "../services";

/** Lets the pane and the cost of a refresh load first. */
const settleMs = 1_000;
/** Pause between searches, as a multiple of the last search's duration: a large workbook takes seconds. */
const restFactor = 20;

/** Returns how many there are, 0 until the search has ended. */
export function useNameErrors(services: PaneServices, workbook: Workbook, active: boolean): number {
  const [found, setFound] = useState(0);
  const restsUntil = useRef(0);
  const { clock, cells: register } = services;
  /** A search's result counts while this is unchanged, even if the person has left the tab. */
  const subject = useRef(workbook);
  subject.current = workbook;

  useEffect(() => {
    if (!active) return;
    async function look(): Promise<void> {
      const beganMs = clock.steadyNow();
      if (beganMs < restsUntil.current) return;
      const cells = await findNameErrors(workbook, register);
      const endedMs = clock.steadyNow();
      restsUntil.current = endedMs + restFactor * (endedMs - beganMs);
      if (subject.current === workbook) setFound(cells.length);
    }
    // Other parts of the pane report a workbook that can't be read.
    const timer = clock.setTimeout(() => unawaited(look().catch(() => undefined)), settleMs);
    return () => clock.clearTimeout(timer);
  }, [workbook, active, clock, register]);

  return found;
}
