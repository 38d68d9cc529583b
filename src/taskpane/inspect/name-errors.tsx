/**
 * Where cells show #NAME? although they hold an INV formula: how many, and a button that enters them again. Looked
 * for a moment after its tab comes into view, with code that is loaded then: it reads the whole workbook, and few
 * workbooks have any.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import type { EnteredAgain } from "../../workbook/inspect/name-errors";
import type { FormulaCell, Workbook } from "../../workbook/port";
import { Button, Message } from "../parts/parts";
import { useAlive } from "../parts/use-source";
import { counted } from "../parts/words";
import type { PaneServices } from "../services";

/** The pane, and what it counts for a price, come first. */
const settleMs = 1_000;
/** A look is not repeated before so many times its own duration have gone by: a large workbook takes seconds. */
const restsFor = 20;

const load = () => import(/* webpackChunkName: "name-errors" */ "../../workbook/inspect/name-errors");

export function NameErrors({
  services,
  workbook,
  active,
}: {
  readonly services: PaneServices;
  readonly workbook: Workbook;
  readonly active: boolean;
}) {
  const [found, setFound] = useState<readonly FormulaCell[]>([]);
  const [busy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const [outcome, setOutcome] = useState<string | null>(null);
  const restsUntil = useRef(0);
  const alive = useAlive();
  const { clock } = services;
  /** What a look is for: its answer counts while that is so, also where the tab was left meanwhile. */
  const subject = useRef({ workbook, tries });
  subject.current = { workbook, tries };

  useEffect(() => {
    if (!active) return;
    async function look(): Promise<void> {
      const { findNameErrors } = await load();
      const beganMs = clock.steadyNow();
      if (beganMs < restsUntil.current) return;
      const cells = await findNameErrors(workbook);
      const endedMs = clock.steadyNow();
      restsUntil.current = endedMs + restsFor * (endedMs - beganMs);
      const now = subject.current;
      if (alive.current && now.workbook === workbook && now.tries === tries) setFound(cells);
    }
    // A workbook that cannot be looked through is told elsewhere.
    const timer = clock.setTimeout(() => void look().catch(() => undefined), settleMs);
    return () => clock.clearTimeout(timer);
  }, [workbook, active, clock, tries]);

  async function enter(): Promise<void> {
    setBusy(true);
    const words = await load()
      .then(({ enterAgain }) => enterAgain(workbook, found, () => clock.random()))
      .then(outcomeWords, (error: unknown) => toInvError(error).message);
    if (!alive.current) return;
    setBusy(false);
    setFound([]);
    restsUntil.current = 0;
    setOutcome(words);
    // Looks again when the host has calculated them.
    setTries(tries + 1);
  }

  return (
    <div class="messages" role="status">
      {outcome === null ? null : <Message intent="info">{outcome}</Message>}
      {found.length === 0 ? null : (
        <Message
          intent="warning"
          actions={
            <Button quiet disabled={busy} onClick={() => void enter()}>
              Enter {found.length === 1 ? "it" : "them"} again
            </Button>
          }
        >
          {errorWords(found, tries > 0)}
        </Message>
      )}
    </div>
  );
}

function errorWords(found: readonly FormulaCell[], isTried: boolean): string {
  const cells = `${counted(found.length, "cell")} with an INV formula`;
  const [show, those] = found.length === 1 ? ["shows", "it"] : ["show", "them"];
  const [first] = found;
  return isTried && first !== undefined
    ? `${cells} still ${show} #NAME?: another name in ${those} may not be known, as in ${first.formula}`
    : `${cells} ${show} #NAME?. Where INV was not there yet when a formula was read, that stays until the formula is entered again.`;
}

function outcomeWords({ cells, left }: EnteredAgain): string {
  const entered = `${counted(cells, "formula")} entered again.`;
  return left === 0
    ? entered
    : `${entered} ${counted(left, "cell")} could not be written, or changed meanwhile.`;
}
