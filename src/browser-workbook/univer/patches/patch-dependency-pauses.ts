/**
 * `Interpreter.checkAsyncNode` and `executeAsync`. Before it calculates, the engine reads the references of every formula of
 * the workbook without a pause: 40,000 formulas block the page for half a second. The engine waits for asynchronous
 * functions, so here each reference is treated as one, and waits when it is the page's turn.
 */
import { requestImmediateMacroTask } from "@univerjs/core";
import { FormulaExecuteStageType, IFormulaRuntimeService, Interpreter } from "@univerjs/preset-sheets-core";
import { sheetCols, sheetRows } from "../../../formula/columns";
import { createPace } from "../../slices";
import type { Grid } from "../create-grid";
import { replaceMember } from "./replace-member";

const preparing: ReadonlySet<FormulaExecuteStageType> = new Set([
  FormulaExecuteStageType.START_DEPENDENCY,
  FormulaExecuteStageType.START_DEPENDENCY_ARRAY_FORMULA,
]);

export function patchDependencyPauses({ injector }: Pick<Grid, "injector">): void {
  const interpreter = injector.get(Interpreter);
  const runtime = injector.get(IFormulaRuntimeService);
  const pause = createPace(requestImmediateMacroTask);
  const isPreparing = () => preparing.has(runtime.getFormulaExecuteStage());

  replaceMember(interpreter, { of: "Interpreter", member: "executeAsync" }, (original) => async (formula) => {
    if (!isPreparing()) return original(formula);
    const value = interpreter.execute(formula);
    const { currentRow, currentColumn, currentSubUnitId, currentUnitId } = runtime;
    await pause();
    // The engine may have calculated something else in between.
    runtime.setCurrent(currentRow, currentColumn, sheetRows, sheetCols, currentSubUnitId, currentUnitId);
    return value;
  });
  replaceMember(
    interpreter,
    { of: "Interpreter", member: "checkAsyncNode" },
    (original) => (node) => isPreparing() || original(node),
  );
}
