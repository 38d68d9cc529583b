/** The engine's cache of parsed formulas. */
import { runCheck } from "../calculation/run-check";

it("parses 12,000 formulas once, where the grid itself parses them at each calculation", () => {
  runCheck("patches/patch-formula-cache-check.mjs");
});
