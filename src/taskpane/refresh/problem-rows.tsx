/** The cells of one reason: where each is, its arguments, and the exact reason if the group's is more general. */
import type { ProblemCell, ProblemGroup } from "../../cells/problem-list";
import type { Problem } from "../../cells/problem-details";
import { type InvError } from "../../domain/errors";
import { askedWords, type CellRow, CellRows } from "../parts/cell-rows";
import type { PaneServices } from "../services";
import { Fold } from "../parts/parts";
import { counted } from "../../domain/number-words";
import { duration } from "../parts/words";

export function ProblemRows({ group, services }: { group: ProblemGroup; services: PaneServices }) {
  const { cells, count: all, reason } = group;
  const valueRow = (problem: Problem, index: number): CellRow => rowOf(problem, { index, reason, services });
  return (
    <CellRows
      services={services}
      items={cells}
      all={all}
      hasTexts
      row={(cell, index) =>
        cell.missing === 1 ? valueRow(cell.problems[0], index) : gridRow(cell, { services, valueRow })
      }
    />
  );
}

/** A formula with many values has one line, with those that are missing inside. */
function gridRow(
  { address, missing, problems }: ProblemCell,
  options: { services: PaneServices; valueRow: (problem: Problem, index: number) => CellRow },
): CellRow {
  const { services, valueRow } = options;
  return {
    key: String(address),
    address,
    words: counted(missing, "value"),
    detail: (
      <Fold title="Values">
        {() => <CellRows services={services} items={problems} all={missing} hasTexts row={valueRow} />}
      </Fold>
    ),
  };
}

function rowOf(
  problem: Problem,
  { index, reason, services }: { index: number; reason: string; services: PaneServices },
): CellRow {
  const { message } = problem.error;
  const protocol = protocolDetails(problem.error);
  return {
    key: `${problem.cell ?? ""} ${problem.atMs} ${index}`,
    address: problem.cell,
    label: problem.cell ?? "cell not known",
    words: askedWords({
      received: receivedIn(problem),
      store: problem.store,
      item: problem.item,
      age: `${duration(services.clock.now() - problem.atMs)} ago`,
    }),
    detail: (
      <>
        {message === reason ? null : message}
        {protocol === "" ? null : (
          <details>
            <summary>Details</summary>
            {protocol}
          </details>
        )}
      </>
    ),
  };
}

export function protocolDetails({ details }: InvError): string {
  const { httpStatus, traceId, requestId } = details;
  return [
    httpStatus === undefined ? "" : `HTTP ${httpStatus}`,
    traceId === undefined ? "" : `trace ${traceId}`,
    requestId === undefined ? "" : `request ${requestId}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** Returns the wrong argument if it is neither the store nor the item. */
function receivedIn({ error, store, item }: Problem): string | null {
  const received = /received ("[^"]*")/.exec(error.message)?.[1];
  if (error.code !== "bad-argument" || received === undefined) return null;
  return received === `"${store}"` || received === `"${item}"` ? null : received;
}
