/** The engine's index of values, made quick, answers as it did before. */
import { runCheck } from "../calculation/run-check";

it("finds the same rows for every value, and looks through no column for a row that is new to it", () => {
  runCheck("patches/patch-value-index-check.mjs");
});
