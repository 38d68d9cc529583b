/** The engine's index of values, made quick, answers as it did before; see `value-index-check`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { compiledModule } from "./compiled-module";

it("finds the same rows for every value, and looks through no column for a row that is new to it", () => {
  const compiled = compiledModule("value-index");
  execFileSync(process.execPath, [join(__dirname, "value-index-check.mjs"), compiled.address], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  compiled.remove();
});
