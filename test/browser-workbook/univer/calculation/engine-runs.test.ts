/** The grid's calculations, one at a time, with its real engine. See `engine-runs-check`. */
import { runCheck } from "./run-check";

it("calculates what it was asked for, also where an edit stops a run that finds nothing, or the engine fails", () => {
  runCheck("calculation/engine-runs-check.ts");
});
