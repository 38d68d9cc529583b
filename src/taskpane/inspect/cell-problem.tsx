/** Why the selected cell has no value: the reason, what INV sent, what to do, and a button for a known fix. */
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../cells/activity";
import type { CellRegister } from "../../cells/cell-register";
import { errorTable, type InvError } from "../../domain/errors";
import { correct, type Correction } from "../../workbook/corrections";
import type { Workbook } from "../../workbook/port";
import type { Found } from "../../workbook/inspect/look";
import { findFixes, type InputFix } from "../../workbook/inspect/input-fixes";
import { Facts, Fold, Message } from "../parts/parts";
import { ActionStatus, useAction } from "../parts/action";
import { placeWords } from "./correction-words";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-source";
import { protocolDetails } from "./problem-rows";
import { whatToDo } from "./what-to-do";

export function CellProblem({ found, workbook, services, show }: ViewProps & { readonly found: Found }) {
  const { subject, item } = found;
  const problem = problemOf(found, services.clock.now());
  const fix = useFix({ workbook, cells: services.cells }, problem);
  const correcting = useAction();
  const [written, setWritten] = useState<InputFix | null>(null);
  useEffect(() => correcting.clear(), [problem?.error]);
  if (problem === null) return null;
  const { error } = problem;
  const { todo, action } = whatToDo(error.code);
  const protocol = protocolDetails(error);

  function write(of: InputFix, correction: Correction): void {
    setWritten(of);
    correcting.run(async () => {
      const { cells } = await correct(workbook, [correction]).catch((failure: unknown) => {
        setWritten(null);
        throw failure;
      });
      return cells === 1 ? "Done. Press Ctrl+Z to undo." : "INV wrote nothing, because the cell has changed.";
    });
  }
  const offered = fix !== written ? fix?.correction : null;

  return (
    <>
      <Message
        intent={errorTable[error.code].cell === "#N/A" ? "warning" : "error"}
        actions={{
          [`Write ${fix?.meant ?? ""} into ${offered ? placeWords(offered.cell, subject.address) : ""}`]:
            fix && offered ? () => write(fix, offered) : null,
          "Open Settings": action === "connect" ? () => show("settings") : null,
          "Try again":
            action === "again" && subject.from === "formula"
              ? () => void workbook.recalculate([subject.cell])
              : null,
        }}
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
      <ActionStatus action={correcting} />
    </>
  );
}

/**
 * Returns why the cell has no value. A row without a formula has no recorded problem, so its reason is the service's answer.
 */
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

function useFix(
  places: { readonly workbook: Workbook; readonly cells: CellRegister },
  problem: Problem | null,
): InputFix | null {
  const error = problem?.error;
  const find = async (of: Problem) => ({
    error: of.error,
    fix: (await findFixes(places, [of])).get(of) ?? null,
  });
  const { value } = useLoaded(problem && (() => find(problem)), [places.workbook, places.cells, error]);
  return value !== null && value.error === error ? value.fix : null;
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
