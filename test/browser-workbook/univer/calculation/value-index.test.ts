/** The engine's index of values, made quick, answers as it did before; see `value-index-check`. */
import { runCheck } from "./run-check";

it("finds the same rows for every value, and looks through no column for a row that is new to it", () => {
  runCheck("value-index-check.mjs");
});
