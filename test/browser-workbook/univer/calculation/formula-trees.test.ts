/** The engine's making of trees, eased; see `formula-trees-check`. */
import { runCheck } from "./run-check";

it("parses many formulas once, pauses between them, and sorts them only where a formula asks for it", () => {
  runCheck("formula-trees-check.mjs");
});
