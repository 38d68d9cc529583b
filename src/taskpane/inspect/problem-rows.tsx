/** The cells of one reason: where each is, its arguments, and the exact reason if the group's is more general. */
import type { Problem, ProblemGroup } from "../../cells/activity";
import { type InvError } from "../../domain/errors";
import { askedWords, CellRows } from "../parts/cell-rows";
import type { PaneServices } from "../services";
import { duration } from "../parts/words";

export function ProblemRows({ group, services }: { group: ProblemGroup; services: PaneServices }) {
  return (
    <CellRows
      services={services}
      items={group.problems}
      all={group.count}
      hasTexts
      row={(problem, index) => {
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
              {message === group.reason ? null : message}
              {protocol === "" ? null : (
                <details>
                  <summary>Details</summary>
                  {protocol}
                </details>
              )}
            </>
          ),
        };
      }}
    />
  );
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
