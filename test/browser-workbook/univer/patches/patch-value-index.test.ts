/** The patched, faster index of values gives the same answers as the engine's own. */
import { runCheck } from "../calculation/run-check";

it("finds the same rows for every value, and looks through no column for a row that is new to it", () => {
  runCheck("patches/patch-value-index-check.mjs");
});
