/**
 * Compares what INV cells showed before a refresh with what they show after it. Loaded with the first refresh. Invariant: a
 * change is listed only if the refresh caused it. So a cell is skipped if somebody typed into it or into cells that its formula
 * names, if it asks for something else now, or if its answer didn't come.
 */
import { counted } from "../../domain/number-words";
import { itemsOf, historiesOf, queriesOf } from "../../cells/cell-record";
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { functionFacts } from "../../domain/functions";
import { queryKey } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import { invFunctionsIn } from "../../formula/calls";
import { references, toR1C1 } from "../../formula/references";
import { cellKey } from "../addresses";
import { isBlank, isError } from "../cell-content";
import { inTimeSlices } from "../in-time-slices";
import type { CellContent } from "../port";
import { invCellOf } from "../refresh/scopes";
import { isPending } from "../still-waiting";
import type { EditsSince } from "./edits-since";
import type { ChangedCell, ChangeReport, ValueChange } from "./report";
import { isPlainGrid, type ShownCell } from "./shown-cells";

export interface Comparison {
  readonly clock: Clock;
  readonly cells: CellRegister;
  readonly edits: EditsSince;
  readonly before: readonly ShownCell[];
  readonly after: readonly ShownCell[];
}

export async function compareShownCells(comparison: Comparison): Promise<Omit<ChangeReport, "atMs">> {
  const { clock, cells, edits, before, after } = comparison;
  const wanted = before.filter(({ cell }) => !showsOnlyFetchTimes(cell.ref.formula));
  /** In the order of the sheet. Cells of one key ask for the same and have the same formula. */
  const earlier = new Map<string, ShownCell[]>();
  await inTimeSlices(clock, wanted, (shown) => {
    const { queries, ref } = shown.cell;
    const key = matchingKey(shown, edits.sheetNow(ref.sheet), queries);
    const same = earlier.get(key);
    if (same) same.push(shown);
    else earlier.set(key, [shown]);
  });
  const changed: ChangedCell[] = [];
  const added: ChangedCell[] = [];
  let compared = 0;
  await inTimeSlices(clock, after, (shown) => {
    const invCell = invCellOf(cells, shown.cell);
    const queries = invCell === undefined ? shown.cell.queries : queriesOf(invCell);
    const old = earlier.get(matchingKey(shown, shown.area.sheet, queries))?.shift();
    if (old === undefined || isTyped(shown) || !asksForTheSame(old, queries)) return;
    compared += 1;
    const change = changeOf({ cells }, { old, now: shown }, invCell);
    if (change !== null) (change.hadValue ? changed : added).push(change);
  });
  const notCompared = wanted.length - compared;
  return { changed: changed.sort(byDifference), added, notCompared, isTooLarge: false };

  /** Identifies a cell by its place, or by its formula and what it asks for where cells may have moved. */
  function matchingKey({ cell, area }: ShownCell, sheet: string, queries: readonly Query[]): string {
    if (!edits.hasMoved(sheet)) return cellKey({ ...area, sheet });
    return `${sheet}!${toR1C1(cell.ref.formula, area)} ${keysOf(queries)}`;
  }

  function isTyped({ cell, area }: ShownCell): boolean {
    if (edits.hasTyped(area)) return true;
    return references(cell.ref.formula).cells.some((found) =>
      edits.hasTyped({ ...found, sheet: found.sheet ?? area.sheet }),
    );
  }
}

function asksForTheSame({ cell }: ShownCell, now: readonly Query[]): boolean {
  return cell.unpredictable > 0 || keysOf(cell.queries) === keysOf(now);
}

function keysOf(queries: readonly Query[]): string {
  return [...new Set(queries.map(queryKey))].sort().join(" ");
}

function showsOnlyFetchTimes(formula: string): boolean {
  const names = invFunctionsIn(formula);
  return names.length > 0 && names.every((name) => functionFacts[name]?.isFetchTime === true);
}

function changeOf(
  { cells }: Pick<Comparison, "cells">,
  { old, now }: { readonly old: ShownCell; readonly now: ShownCell },
  invCell: InvCell | undefined,
): ChangedCell | null {
  const { area } = now;
  const { formula } = now.cell.ref;
  const queries = invCell === undefined ? now.cell.queries : queriesOf(invCell);
  const facts = invFunctionsIn(formula).map((name) => functionFacts[name]);
  const isResized = old.area.rows !== area.rows || old.area.cols !== area.cols;
  const cell = { sheet: area.sheet, row: area.row, col: area.col };
  const hadValue = old.values.some(hasValue);
  if (isResized || facts.some((each) => each?.rows === "other")) {
    const values = tableChange();
    return values && { cell, values: [values], of: 1, hadValue };
  }
  const queriesAt = queriesByPlace(formula, queries, now.values);
  const values: ValueChange[] = [];
  for (const [at, after] of now.values.entries()) {
    const before = old.values[at] ?? null;
    if (isPending(after) || isSame(before, after) || !(hasValue(before) || hasValue(after))) continue;
    const own = queriesAt(at);
    if (isUnanswered({ cells }, invCell, own)) continue;
    const [down, right] = [Math.floor(at / area.cols), at % area.cols];
    const place = { sheet: area.sheet, row: area.row + down, col: area.col + right };
    const isTime =
      facts.length > 0 && facts.every((each) => each?.times === "everywhere" || each?.times === right);
    values.push({ ...place, ...itemOf(own), before, after, isTime });
  }
  const [first, ...others] = values;
  return first === undefined ? null : { cell, values: [first, ...others], of: now.values.length, hadValue };

  /** Rows of a table move, so that the contents of one place mean nothing. */
  function tableChange(): ValueChange | null {
    const isEqual = !isResized && now.values.every((value, at) => isSame(old.values[at] ?? null, value));
    if (isEqual || now.values.some(isPending) || isUnanswered({ cells }, invCell, queries)) return null;
    const after = counted(area.rows, old.area.rows === area.rows ? "other row" : "row");
    const before = hadValue ? counted(old.area.rows, "row") : (old.values[0] ?? null);
    return { ...cell, ...itemOf(queries), before, after, isTime: false };
  }
}

/**
 * Returns what a place of a formula's result asks for. A formula makes its queries row by row, and none for blank lines. Where
 * something sorts or combines its results, every place has all queries.
 */
function queriesByPlace(
  formula: string,
  queries: readonly Query[],
  values: readonly CellContent[],
): (at: number) => readonly Query[] {
  if (values.length === 1 || !isPlainGrid(formula)) return () => queries;
  const asking = [...values.keys()].filter((at) => !isBlank(values[at]));
  if (queries.length === values.length) return (at) => queries.slice(at, at + 1);
  if (queries.length !== asking.length) return () => queries;
  const orders = new Map(asking.map((at, order) => [at, order]));
  return (at) => {
    const order = orders.get(at) ?? Infinity;
    return queries.slice(order, order + 1);
  };
}

/** Returns whether the service hasn't answered one of these queries, whatever the cell shows. */
function isUnanswered(
  { cells }: Pick<Comparison, "cells">,
  invCell: InvCell | undefined,
  queries: readonly Query[],
): boolean {
  return invCell !== undefined && cells.unansweredQueries(queries, invCell.environmentId) !== null;
}

/** Returns what all these queries have in common. */
function itemOf(queries: readonly Query[]): { readonly store: string; readonly item: string } {
  const asked = { queries };
  const stores = new Set(queries.map(({ storeNumber }) => String(storeNumber)));
  const items = new Set([
    ...itemsOf(asked).map(({ value }) => value),
    ...historiesOf(asked).map(({ gtin }) => gtin),
  ]);
  const only = (set: ReadonlySet<string>): string => (set.size === 1 ? ([...set][0] ?? "") : "");
  return { store: only(stores), item: only(items) };
}

/** Errors that say something about the value: the service knows none, or a formula divides by a stock of 0. */
const meaningfulErrors: ReadonlySet<string> = new Set(["#N/A", "#DIV/0!", "#NUM!"]);

function hasValue(content: CellContent): boolean {
  return isError(content) ? meaningfulErrors.has(content.error) : !isBlank(content);
}

function isSame(one: CellContent, other: CellContent): boolean {
  if (isError(one) && isError(other)) return one.error === other.error;
  return one === other || (isBlank(one) && isBlank(other));
}

function byDifference(one: ChangedCell, other: ChangedCell): number {
  return differenceOf(other) - differenceOf(one);
}

function differenceOf({ values }: ChangedCell): number {
  return values.reduce((most, { before, after, isTime }) => {
    const isQuantity = typeof before === "number" && typeof after === "number" && !isTime;
    return isQuantity ? Math.max(most, Math.abs(after - before)) : most;
  }, 0);
}
