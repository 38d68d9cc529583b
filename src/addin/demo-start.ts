/** "Try with demo data": connects to the demo environment and fills a sample sheet in the open workbook. Loaded at the click. */
import { isConfigured } from "../domain/environment";
import { InvError } from "../domain/errors";
import type { PaneConnection } from "../connection/types";
import type { Workbook } from "../workbook/port";
import { buildTemplate } from "../workbook/templates/build";
import { builtInTemplate } from "../workbook/templates/built-in";
import { demoRows, readDemoData } from "../workbook/templates/demo-data";

/**
 * Resolves when the sheet is built; its cells get their values afterwards. Rejects with an InvError before it starts the sheet.
 */
export async function startDemo(options: {
  readonly connection: PaneConnection;
  /** Reads a file from the add-in's server: the embedded service lists its sample stores and items there. */
  readJson(path: string): Promise<unknown>;
  workbook(): Workbook | null;
}): Promise<void> {
  const workbook = options.workbook();
  const demo = options.connection.get().environments.find(({ kind }) => kind === "demo");
  if (!workbook || !demo || !isConfigured(demo)) {
    throw new InvError(
      "not-connected",
      "The demo needs an open workbook and a server with the demo environment. Ask your administrator.",
    );
  }
  const rows = demoRows(readDemoData(await options.readJson("demo-data")));
  await options.connection.connect({ environmentId: demo.id }, { tested: false });
  await buildTemplate(workbook, { template: builtInTemplate("planning"), rows, columns: new Set() });
}
