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
import { Button, Facts, Message } from "../parts/parts";
import { placeWords } from "../parts/place-words";
import { useAlive } from "../parts/use-source";
import type { ViewProps } from "./view";
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

  async function writeMeant(of: InputFix): Promise<void> {
    const { correction } = of;
    if (correction === null) return;
    setWritten(of);
    const words = await correct(workbook, [correction]).then(
      ({ cells }) =>
        cells === 1 ? "Written. Undo takes it back." : "The cell has changed since: nothing was written.",
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
              <Button quiet onClick={() => show("connect")}>
                Open Connect
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
          ...(error.details.httpStatus === undefined
            ? []
            : [["Status", `HTTP ${error.details.httpStatus}`] as const]),
          ...(error.details.traceId === undefined ? [] : [["Trace", error.details.traceId] as const]),
          ["What to do", todo],
        ]}
      />
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
  const [found, setFound] = useState<{ readonly of: InvError; readonly fix: InputFix | null } | null>(null);
  const error = problem?.error;
  useEffect(() => {
    if (problem === null || found?.of === problem.error) return;
    let current = true;
    findFixes({ workbook, cells }, [problem]).then(
      (fixes) => current && setFound({ of: problem.error, fix: fixes.get(problem) ?? null }),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [workbook, cells, error]);
  return found !== null && found.of === error ? found.fix : null;
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
