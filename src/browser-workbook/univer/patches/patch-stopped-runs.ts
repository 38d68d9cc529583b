/**
 * `FormulaRuntimeService.getAllRuntimeData`. The engine ignores a stop if it has nothing to calculate, or has just
 * calculated the last value. It would report success, and the work of the calculation would be lost.
 */
import { IFormulaRuntimeService } from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";
import { replaceMember } from "./replace-member";

export function patchStoppedRuns({ injector }: Pick<Grid, "injector">): void {
  const runtime = injector.get(IFormulaRuntimeService);
  replaceMember(runtime, { of: "FormulaRuntimeService", member: "getAllRuntimeData" }, (found) => () => {
    if (runtime.isStopExecution()) runtime.markedAsStopFunctionsExecuted();
    return found();
  });
}
