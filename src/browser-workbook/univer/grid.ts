/** The running grid, as the parts of the browser workbook get it. `create-grid.ts` starts it from some of those parts. */
import type { Injector, Univer } from "@univerjs/core";
import type { FUniver } from "@univerjs/core/facade";

export interface Grid {
  readonly api: FUniver;
  readonly injector: Injector;
  readonly univer: Univer;
}
