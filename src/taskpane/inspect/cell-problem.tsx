/**
 * Why the selected cell has no value: the reason, what was sent, what to do, and the fix as a button where the cell
 * with the input error is found. Finding and correcting are the workbook's.
 */
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../cells/activity";
import type { CellRegister } from "../../cells/cell-register";
import { errorTable, type InvError, toInvError } from "../../domain/errors";
import { correct } from "../../workbook/corrections";
import type { Found } from "../../workbook/inspect/look";
import { findFixes, type InputFix } from "../../workbook/inspect/input-fixes";
import { Button, Facts, Fold, Message } from "../parts/parts";
import { placeWords } from "../parts/place-words";
import type { ViewProps } from "../parts/tab";
import { useAlive, useLoaded } from "../parts/use-source";
import { protocolDetails } from "./problem-rows";
import { whatToDo } from "./what-to-do";

export function CellProblem({ found, workbook, services, show }: ViewProps & { readonly found: Found }) {
  const { subject, item } = found;
  const problem = problemOf(found, services.clock.now());
  const fix = useFix({ workbook, cells: services.cells }, problem);
  const [outcome, setOutcome] = useState<string | null>(null);
  /** Written, or about to be: it is not offered again. */
  const [written, setWritten] = useState<InputFix | null>(null);
  const alive = useAlive();
  useEffect(() => setOutcome(null), [problem?.error]);
  if (problem === null) return null;
  const { error } = problem;
  const { todo, action } = whatToDo[error.code];
  const protocol = protocolDetails(error);

  async function writeMeant(of: InputFix): Promise<void> {
    const { correction } = of;
    if (correction === null) return;
    setWritten(of);
    const words = await correct(workbook, [correction]).then(
      ({ cells }) =>
        cells === 1 ? "Done. Press Ctrl+Z to undo." : "Nothing was written: the cell has changed.",
      (failure: unknown) => {
        if (alive.current) setWritten(null);
        return toInvError(failure).message;
      },
    );
    if (alive.current) setOutcome(words);
  }

  return (
    <>
      <Message
        intent={errorTable[error.code].cell === "#N/A" ? "warning" : "error"}
        actions={
          <>
            {fix?.correction && fix !== written ? (
              <Button quiet onClick={() => void writeMeant(fix)}>
                Write {fix.meant} into {placeWords(fix.correction.cell, subject.address)}
              </Button>
            ) : null}
            {action === "connect" ? (
              <Button quiet onClick={() => show("settings")}>
                Open Settings
              </Button>
            ) : null}
            {action === "again" && subject.from === "formula" ? (
              <Button quiet onClick={() => void workbook.recalculate([subject.cell])}>
                Try again
              </Button>
            ) : null}
          </>
        }
      >
        <strong>{errorTable[error.code].cell}</strong> {error.message}
      </Message>
      <Facts
        facts={[
          ["Sent", sentWords(error, problem, Boolean(item))],
          ["What to do", todo],
        ]}
      />
      {protocol === "" ? null : <Fold title="Details">{() => <p>{protocol}</p>}</Fold>}
      <div role="status">{outcome === null ? null : <Message intent="info">{outcome}</Message>}</div>
    </>
  );
}

interface FixPlaces {
  readonly workbook: ViewProps["workbook"];
  readonly cells: CellRegister;
}

/** A row without a formula has no problem on record: the service's "no" is its reason. */
function problemOf({ subject, item }: Found, nowMs: number): Problem | null {
  if (subject.problem) return subject.problem;
  if (!item || item.found || subject.item === null) return null;
  const { storeNumber, value } = subject.item;
  return {
    atMs: nowMs,
    cell: subject.address,
    store: String(storeNumber),
    item: value,
    error: item.error,
  };
}

function useFix({ workbook, cells }: FixPlaces, problem: Problem | null): InputFix | null {
  const error = problem?.error;
  const find =
    problem &&
    (async () => ({
      of: problem.error,
      fix: (await findFixes({ workbook, cells }, [problem])).get(problem) ?? null,
    }));
  const { value } = useLoaded(find, [workbook, cells, error]);
  return value !== null && value.of === error ? value.fix : null;
}

const neverSent: ReadonlySet<string> = new Set(["bad-argument", "not-connected"]);

function sentWords({ code }: InvError, { store, item }: Problem, isAnswered: boolean): string {
  const given = [store === "" ? null : `store ${store}`, item === "" ? null : `item ${item}`]
    .filter((part) => part !== null)
    .join(", ");
  if (neverSent.has(code)) return given === "" ? "nothing" : `nothing: INV was given ${given}`;
  if (isAnswered) return given;
  return given === "" ? "not known" : given;
}
