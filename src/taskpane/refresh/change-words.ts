/** Sentences about a refresh: why it failed, what it changed, and how old stale cells are. */
import type { UnrefreshedCell, RefreshState } from "../../workbook/refresh/refresh";
import { cellAddresses } from "../../workbook/addresses";
import { isUnanswered } from "../../domain/errors";
import { type ChangeReport, mostValues } from "../../workbook/what-changed/report";
import { count, counted } from "../../domain/number-words";
import { asOfOldest, oldestTimeMs } from "../../workbook/refresh/earlier-values";
import type { StaleCell } from "../../cells/cell-register";
import { timeOfDay } from "../parts/words";
import type { PaneServices } from "../services";

/**
 * Returns `14:03: 37 cells changed, 2 had no value before.` The text says so if the report belongs to a refresh before the one
 * that started at `refreshedFromMs`.
 */
export function changesInShort(report: ChangeReport, nowMs: number, refreshedFromMs: number | null): string {
  const { changed, added, movedSheets, atMs, isTooLarge } = report;
  const isEarlier = refreshedFromMs !== null && atMs < refreshedFromMs;
  if (isEarlier && changed.length + added.length === 0) return "";
  if (isTooLarge) {
    return `More than ${count(mostValues)} values: INV didn't compare them. To see changes, refresh one sheet.`;
  }
  const parts = [`${changed.length === 0 ? "no refreshed cell" : counted(changed.length, "cell")} changed`];
  if (added.length > 0) parts.push(`${count(added.length)} had no value before`);
  if (movedSheets.length > 0) parts.push(`${counted(movedSheets.length, "sheet")} not compared`);
  return `${isEarlier ? "Earlier refresh, " : ""}${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.`;
}

/** Returns how a failed refresh ended. Cells that aren't refreshed show a number, a reason or nothing, and keep it. */
export function failureWords({ refreshed, cells, unrefreshed: left, error }: RefreshState): string {
  const byReason = new Map<string, UnrefreshedCell[]>();
  for (const each of left) {
    const { message } = each.because;
    const same = byReason.get(message);
    if (same === undefined) byReason.set(message, [each]);
    else same.push(each);
  }
  const result =
    refreshed === 0 ? "nothing refreshed." : `${count(refreshed)} of ${counted(cells, "cell")} refreshed.`;
  if (left[0] === undefined) return `${result} ${error?.message ?? "The refresh failed."}`;
  if (refreshed === 0 && byReason.size === 1) {
    return `${result} ${left[0].because.message} Every cell keeps what it shows.`;
  }
  const reasons = [...byReason]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, mostReasons)
    .map(([reason, [first, ...others]]) => {
      const words = counted(others.length + 1, "cell keeps what it shows", "cells keep what they show");
      // Problems lists the cells that have no answer.
      const place = first && !isUnanswered(first.because.code) ? ` (first: ${placeOf(first)})` : "";
      return `${words}${place}: ${reason}`;
    });
  return [result, ...reasons].join(" ");
}

const mostReasons = 3;

/** Returns a sentence about cells that Excel didn't calculate, if some of them show an error; otherwise "". */
export function uncalledWords({ uncalled }: Pick<RefreshState, "uncalled">): string {
  const [first, ...others] = uncalled.filter(({ showsError }) => showsError);
  if (first === undefined) return "";
  const words = counted(others.length + 1, "cell that shows an error", "cells that show an error");
  return ` Excel doesn't calculate ${words} (first: ${placeOf(first)}).`;
}

function placeOf({ cell }: Pick<UnrefreshedCell, "cell">): string {
  return cellAddresses(cell)[0];
}

export function asOfWords(stale: readonly StaleCell[], { age, clock }: PaneServices): string {
  const invCells = stale.flatMap(({ invCell }) => invCell ?? []);
  const asOf = asOfOldest(
    oldestTimeMs(invCells),
    invCells.length === stale.length ? null : age.get().earlier,
  );
  return typeof asOf === "number" ? `as of ${timeOfDay(asOf, clock.now())}` : "of unknown age";
}
