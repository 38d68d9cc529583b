/** Joins tasks of the grid's engine: everything that any of them calculates. The rest comes from the last one. */
import type { IFormulaDatasetConfig } from "@univerjs/preset-sheets-core";

/** Returns null for an empty list. */
export function joinTasks(tasks: readonly IFormulaDatasetConfig[]): IFormulaDatasetConfig | null {
  const [first, ...others] = tasks;
  if (first === undefined) return null;
  return others.reduce(joined, first);
}

const marks = [
  "dirtyNameMap",
  "dirtyDefinedNameMap",
  "dirtySuperTableMap",
  "dirtyUnitFeatureMap",
  "dirtyUnitOtherFormulaMap",
  "clearDependencyTreeCache",
] as const;

function joined(one: IFormulaDatasetConfig, other: IFormulaDatasetConfig): IFormulaDatasetConfig {
  const task = {
    ...other,
    forceCalculate: one.forceCalculate || other.forceCalculate,
    dirtyRanges: withoutRepeats([...one.dirtyRanges, ...other.dirtyRanges]),
  };
  for (const name of marks) Object.assign(task, { [name]: joinedMarks(one[name], other[name]) });
  return task;
}

/** A run that is stopped repeatedly would otherwise collect the same ranges each time. */
function withoutRepeats(ranges: IFormulaDatasetConfig["dirtyRanges"]): IFormulaDatasetConfig["dirtyRanges"] {
  return [...new Map(ranges.map((range) => [JSON.stringify(range), range])).values()];
}

/** By workbook, sheet and name, to any depth. */
function joinedMarks(one: unknown, other: unknown): unknown {
  if (!isMap(one) || !isMap(other)) return other ?? one;
  const all: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) all[key] = joinedMarks(all[key], value);
  return all;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
