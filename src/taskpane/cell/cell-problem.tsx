/** Why the selected cell has no value: the reason, what INV sent, what to do, and a button that helps. */
import type { Problem } from "../../cells/problem-details";
import { cellErrorOf, type InvError, type ErrorCode } from "../../domain/errors";
import { references } from "../../formula/references";
import type { Found } from "../../workbook/inspect/inspection";
import { ActionStatus, useAction } from "../parts/action";
import { Facts, Fold, Message } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-observable";
import { protocolDetails } from "../refresh/problem-rows";

export function CellProblem({ found, workbook, services, show }: ViewProps & { readonly found: Found }) {
  const { inspectedCell, item } = found;
  const trying = useAction();
  const { sheet, row, col } = inspectedCell.cell;
  const formula = useLoaded(
    () => workbook.read({ sheet, row, col, rows: 1, cols: 1 }, "formulas"),
    [workbook, sheet, row, col, inspectedCell.problem],
  ).value?.[0]?.[0];
  const refersToCells = inspectedCell.from === "row" || mentionsCells(String(formula ?? ""));
  const problem = problemOf(found, services.clock.now());
  if (problem === null) return null;
  const { error } = problem;
  const { todo, action } = whatToDo(error.code, refersToCells);
  const protocol = protocolDetails(error);

  return (
    <>
      <Message
        intent={cellErrorOf(error.code) === "#N/A" ? "warning" : "error"}
        actions={{
          "Check the list": action === "check" ? () => show("templates", "check") : null,
          "Open Settings": action === "connect" ? () => show("settings") : null,
          "Try again":
            action === "again" && inspectedCell.from === "formula"
              ? () => trying.run(() => workbook.recalculate([inspectedCell.cell]).then(() => null))
              : null,
        }}
      >
        <strong>{cellErrorOf(error.code)}</strong> {error.message}
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
function problemOf({ inspectedCell, item }: Found, nowMs: number): Problem | null {
  if (inspectedCell.problem) return inspectedCell.problem;
  if (!item || item.found || inspectedCell.item === null) return null;
  const { storeNumber, value } = inspectedCell.item;
  return {
    atMs: nowMs,
    cell: inspectedCell.address,
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

const diagnostics = "Copy the diagnostics in Settings for support.";
const tryAgain = "Try again. If it fails again, copy the diagnostics in Settings for the service's support.";

/** What a planner can do about each error. */
const advice: Readonly<Record<ErrorCode, string>> = {
  "not-mapped":
    "Check the item on its label. If it is right, ask the retailer to map it to your supplier number.",
  "no-data": "The item may not be sold at this store. Check the store number.",
  "no-history": "The item may not be sold at this store. Check the store number.",
  "invalid-gtin": "Check the GTIN on the item's label.",
  "item-error": "The message above is the service's. If it isn't clear, ask its support.",
  "no-record": "Choose one of the location areas or states named above.",
  "no-events": "The service has no such event for these days. Try other dates or another event.",
  "bad-argument": "Correct the argument in the formula.",
  "refused-value": "The service doesn't accept this value. Check it on the label.",
  "refused-request": `The service doesn't accept this request. ${diagnostics}`,
  "not-connected": "Connect to an environment.",
  "credentials-refused": "Enter the consumer ID and the client secret again.",
  "signed-out": "Sign in again. INV then requests this value.",
  "not-subscribed": "Ask for a subscription to the service for this consumer ID.",
  "consumer-unknown": "Check the consumer ID. It must belong to your supplier.",
  "wrong-address": "Ask your administrator to check the addresses of this environment.",
  quota: "Your company has used its requests for this minute. Try again in a minute.",
  unreachable: "Check your network connection, then try again.",
  timeout: "Try again. If it fails again, the service is slow today.",
  "service-down": "Try again in a few minutes.",
  "bad-answer": tryAgain,
  "missing-answer": tryAgain,
  "too-large": diagnostics,
  cancelled: "The request was cancelled. Try again.",
  "not-possible": diagnostics,
  internal: diagnostics,
};

const needsConnection: ReadonlySet<ErrorCode> = new Set([
  "not-connected",
  "credentials-refused",
  "signed-out",
  "not-subscribed",
  "consumer-unknown",
  "wrong-address",
]);

const mayWorkLater: ReadonlySet<ErrorCode> = new Set([
  "quota",
  "unreachable",
  "timeout",
  "service-down",
  "bad-answer",
  "missing-answer",
  "cancelled",
  "internal",
]);

const mayBeMistyped: ReadonlySet<ErrorCode> = new Set(["bad-argument", "not-mapped"]);

/**
 * Returns advice and a button's action: `connect` opens the connection form, `check` the check of a list, `again` sends the same
 * request again.
 * @param refersToCells whether the store or the item comes from a cell, which may be one of a list
 */
function whatToDo(
  code: ErrorCode,
  refersToCells: boolean,
): {
  readonly todo: string;
  readonly action: "connect" | "check" | "again" | null;
} {
  if (needsConnection.has(code)) return { todo: advice[code], action: "connect" };
  if (code === "bad-argument" && refersToCells) {
    return {
      todo: "Correct the cell that the formula refers to. Check a list finds all such cells.",
      action: "check",
    };
  }
  if (mayBeMistyped.has(code)) return { todo: advice[code], action: refersToCells ? "check" : null };
  return { todo: advice[code], action: mayWorkLater.has(code) ? "again" : null };
}
