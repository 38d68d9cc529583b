/** Members of the grid that INV replaces, with the grid's real code. See `patches-check`. */
import { runCheck } from "../calculation/run-check";

it("groups commands into one undo step, moves rules with their cells, and never draws a part of a number", () => {
  runCheck("patches/patches-check.ts");
});
