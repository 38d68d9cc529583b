/**
 * A badge beside the name of a tab or view. Counts the cells with #VALUE!, but not #N/A, which is a
 * valid answer.
 */
import { cellErrorOf } from "../../domain/errors";
import { useChanges } from "../parts/use-source";
import { count } from "../../domain/number-words";
import type { PaneServices } from "../services";

export function ProblemBadge({ services: { cells } }: { services: PaneServices }) {
  useChanges(cells.problemList.subscribe);
  const problems = cells.problemList
    .groups()
    .reduce((sum, group) => sum + (cellErrorOf(group.code) === "#VALUE!" ? group.count : 0), 0);
  if (problems === 0) return null;
  return (
    <span class="badge">
      {problems > 999 ? "999+" : count(problems)}
      <span class="spoken"> {problems === 1 ? "cell" : "cells"} with #VALUE!</span>
    </span>
  );
}
