/**
 * The grid's engine catches nothing: where it fails at one formula, its calculation neither goes on nor ends. So such a
 * formula shows #VALUE! and the others their values; where it fails at anything else, the calculation ends, and nothing
 * of it is applied. Both are told where a page's errors are.
 */
import {
  ErrorType,
  ErrorValueObject,
  ICalculateFormulaService,
  IFormulaRuntimeService,
  Interpreter,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

/** What the engine keeps to itself: it has no other seam. */
interface Service {
  _executeStep(): Promise<unknown>;
}

export function endFailures({ injector }: Pick<Grid, "injector">, failed: () => void): void {
  const interpreter = injector.get(Interpreter);
  const calculate = interpreter.execute.bind(interpreter);
  interpreter.execute = (formula) => {
    try {
      return calculate(formula);
    } catch (error) {
      reportError(error);
      return ErrorValueObject.create(ErrorType.VALUE);
    }
  };

  const runtime = injector.get(IFormulaRuntimeService);
  const service = injector.get(ICalculateFormulaService) as unknown as Service;
  const step = service._executeStep.bind(service);
  service._executeStep = async () => {
    try {
      return await step();
    } catch (error) {
      reportError(error);
      failed();
      runtime.markedAsStopFunctionsExecuted();
    }
  };
}
