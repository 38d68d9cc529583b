/**
 * Offers to enter INV formulas that show #NAME? again. Looks for them a moment after its tab comes into view: the search reads
 * the whole workbook, and few workbooks have any.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { CorrectionCounts } from "../../workbook/corrections";
import type { NameError } from "../../workbook/inspect/name-errors";
import type { Workbook } from "../../workbook/port";
import { ActionStatus, useAction } from "../parts/action";
import { Message } from "../parts/parts";
import { counted } from "../../domain/number-words";
import { overwrittenWords } from "../parts/words";
import type { PaneServices } from "../services";

/** Lets the pane and the cost of a refresh load first. */
const settleMs = 1_000;
/** Pause between searches, as a multiple of the last search's duration: a large workbook takes seconds. */
const restFactor = 20;

const load = () => import(/* webpackChunkName: "name-errors" */ "../../workbook/inspect/name-errors");

export function NameErrors(props: {
  readonly services: PaneServices;
  readonly workbook: Workbook;
  readonly active: boolean;
}) {
  const { services, workbook, active } = props;
  const [found, setFound] = useState<readonly NameError[]>([]);
  const [tries, setTries] = useState(0);
  const entering = useAction();
  const restsUntil = useRef(0);
  const { clock, cells: register } = services;
  /** A search's result counts while these are unchanged, even if the person has left the tab. */
  const subject = useRef({ workbook, tries });
  subject.current = { workbook, tries };

  useEffect(() => {
    if (!active) return;
    async function look(): Promise<void> {
      const { findNameErrors } = await load();
      const beganMs = clock.steadyNow();
      if (beganMs < restsUntil.current) return;
      const cells = await findNameErrors(workbook, register);
      const endedMs = clock.steadyNow();
      restsUntil.current = endedMs + restFactor * (endedMs - beganMs);
      const now = subject.current;
      if (now.workbook === workbook && now.tries === tries) setFound(cells);
    }
    // Other parts of the pane report a workbook that can't be read.
    const timer = clock.setTimeout(() => void look().catch(() => undefined), settleMs);
    return () => clock.clearTimeout(timer);
  }, [workbook, active, clock, register, tries]);

  const unread = found.filter(({ unknownName }) => unknownName === null);
  const misspelled = found.filter(({ unknownName }) => unknownName !== null);

  function enter(): void {
    entering.run(async () => {
      const { enterAgain } = await load();
      // Search again once the host has calculated them.
      const done = await enterAgain(workbook, unread).finally(() => {
        restsUntil.current = 0;
        setFound([]);
        setTries(tries + 1);
      });
      return outcomeWords(done);
    });
  }

  return (
    <div class="messages" role="status">
      <ActionStatus action={entering} />
      {unread.length === 0 ? null : (
        <Message
          intent="warning"
          isBusy={entering.busyText !== null}
          actions={{ [`Enter ${unread.length === 1 ? "it" : "them"} again`]: enter }}
        >
          {errorWords(unread, tries > 0)}
        </Message>
      )}
      {misspelled.length === 0 ? null : <Message intent="warning">{unknownWords(misspelled)}</Message>}
    </div>
  );
}

function errorWords(found: readonly NameError[], isTried: boolean): string {
  const cells = `${counted(found.length, "cell")} with an INV formula`;
  const [show, those] = found.length === 1 ? ["shows", "it"] : ["show", "them"];
  const [first] = found;
  return isTried && first !== undefined
    ? `${cells} still ${show} #NAME?. Another name in ${those} may be unknown, as in ${first.formula}`
    : `${cells} ${show} #NAME?. Excel read ${those} before INV was loaded. Enter ${those} again.`;
}

function unknownWords([first, ...others]: readonly NameError[]): string {
  const all = others.length + 1;
  const cells = `${counted(all, "cell")} with an INV formula ${all === 1 ? "shows" : "show"} #NAME?`;
  return `${cells}: the name ${first?.unknownName ?? ""} is unknown, as in ${first?.formula ?? ""}. Correct it in the formula.`;
}

function outcomeWords({ cells, skipped, overwritten }: CorrectionCounts): string {
  const entered = `${counted(cells, "formula")} entered again.${overwrittenWords(overwritten)}`;
  return skipped === 0
    ? entered
    : `${entered} INV skipped ${counted(skipped, "cell")} that changed meanwhile or can't be written.`;
}
