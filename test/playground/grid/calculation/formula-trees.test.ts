/** The engine's making of trees, eased; see `formula-trees-check`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { compiledModule } from "./compiled-module";

it("parses many formulas once, pauses between them, and sorts them only where a formula asks for it", () => {
  const compiled = compiledModule("formula-trees");
  execFileSync(process.execPath, [join(__dirname, "formula-trees-check.mjs"), compiled.address], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  compiled.remove();
});
