/**
 * `FormulaRuntimeService.getAllRuntimeData`. The engine does not look for a stop where it has nothing to calculate, or when
 * it has found the last value: it would report success, and what the calculation was for would be forgotten.
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
