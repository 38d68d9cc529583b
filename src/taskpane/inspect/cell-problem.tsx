/** Why the selected cell has no value: the reason, what INV sent, what to do, and a button that helps. */
import type { Problem } from "../../cells/activity";
import { errorTable, type InvError } from "../../domain/errors";
import { references } from "../../formula/references";
import type { Found } from "../../workbook/inspect/look";
import { ActionStatus, useAction } from "../parts/action";
import { Facts, Fold, Message } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-source";
import { protocolDetails } from "./problem-rows";
import { whatToDo } from "./what-to-do";

export function CellProblem({ found, workbook, services, show }: ViewProps & { readonly found: Found }) {
  const { subject, item } = found;
  const trying = useAction();
  const { sheet, row, col } = subject.cell;
  const formula = useLoaded(
    () => workbook.read({ sheet, row, col, rows: 1, cols: 1 }, "formulas"),
    [workbook, sheet, row, col, subject.problem],
  ).value?.[0]?.[0];
  const refersToCells = subject.from === "row" || mentionsCells(String(formula ?? ""));
  const problem = problemOf(found, services.clock.now());
  if (problem === null) return null;
  const { error } = problem;
  const { todo, action } = whatToDo(error.code, refersToCells);
  const protocol = protocolDetails(error);

  return (
    <>
      <Message
        intent={errorTable[error.code].cell === "#N/A" ? "warning" : "error"}
        actions={{
          "Check the list": action === "check" ? () => show("inspect", "check") : null,
          "Open Settings": action === "connect" ? () => show("settings") : null,
          "Try again":
            action === "again" && subject.from === "formula"
              ? () => trying.run(() => workbook.recalculate([subject.cell]).then(() => null))
              : null,
        }}
      >
        <strong>{errorTable[error.code].cell}</strong> {error.message}
      </Message>
      <ActionStatus action={trying} />
      <Facts
        facts={[
          ["Sent", sentWords(error, problem, Boolean(item))],
          ["What to do", todo],
        ]}
      />
      {protocol === "" ? null : <Fold title="Details">{() => <p>{protocol}</p>}</Fold>}
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

function mentionsCells(formula: string): boolean {
  const { cells, thisRow } = references(formula);
  return cells.length + thisRow.length > 0;
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
