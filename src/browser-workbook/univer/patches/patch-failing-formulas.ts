/**
 * `Interpreter.execute` and `FormulaDependencyGenerator.generate`. The engine catches no errors: if it fails at a formula,
 * its calculation neither continues nor ends. Here that formula shows #VALUE! and the others their values. If the engine fails
 * while it orders the formulas, the calculation ends without being applied. Both errors are reported as errors of the page.
 */
import {
  ErrorType,
  ErrorValueObject,
  IFormulaDependencyGenerator,
  IFormulaRuntimeService,
  Interpreter,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";
import { replaceMember } from "./replace-member";

/** @param failed called when a calculation ends early */
export function patchFailingFormulas({ injector }: Pick<Grid, "injector">, failed: () => void): void {
  const runtime = injector.get(IFormulaRuntimeService);
  replaceMember(
    injector.get(Interpreter),
    { of: "Interpreter", member: "execute" },
    (calculate) => (formula) => {
      try {
        return calculate(formula);
      } catch (error) {
        reportError(error);
        return ErrorValueObject.create(ErrorType.VALUE);
      }
    },
  );
  replaceMember(
    injector.get(IFormulaDependencyGenerator),
    { of: "FormulaDependencyGenerator", member: "generate" },
    (generate) =>
      async (...given) => {
        try {
          return await generate(...given);
        } catch (error) {
          reportError(error);
          failed();
          runtime.stopExecution();
          return [];
        }
      },
  );
}
