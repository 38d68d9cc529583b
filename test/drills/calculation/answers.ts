/** The drill's INV.QTY: each call is answered after a different delay, and the same arguments always get the same value. */
import type { CallResult, ResultContent } from "../../../src/browser-workbook/functions/cell-values";

export function answerTo(random: () => number): (parameters: readonly unknown[]) => Promise<CallResult> {
  return async ([store, item]) => {
    const waitMs = Math.floor(random() * 60);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const [[number]] = rowsOf(store) as [[unknown]];
    const items = rowsOf(item).map(([first]) => first);
    if (items.length > 1) return { kind: "rows", rows: items.map((one) => [quantity(number, one)]) };
    if (items[0] === "two") return { kind: "rows", rows: [[1], [2]] };
    return { kind: "value", value: quantity(number, items[0]) };
  };
}

function rowsOf(argument: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(argument) ? (argument as unknown[][]) : [[argument]];
}

function quantity(store: unknown, item: unknown): ResultContent {
  if (item === "err") return { error: "#N/A", reason: "There is none." };
  if (typeof item !== "string" || item === "") return { error: "#VALUE!", reason: "Not an item." };
  return Number(store) + item.charCodeAt(0);
}
