/** The patched, faster index of values gives the same answers as the engine's own. */
import { runCheck } from "../calculation/run-check";

it("finds the same rows for every value, and searches no column for a new row", () => {
  runCheck("patches/patch-value-index-check.mjs");
});
