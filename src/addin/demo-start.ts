/**
 * "Try with demo data": connects to the demo environment and fills a sample sheet in the open workbook.
 * The sheet's builder is loaded when it is wanted, since most people press the button once or never.
 */
import { isConfigured } from "../domain/environment";
import { InvError } from "../domain/errors";
import type { ConnectionService } from "../connection/types";
import type { Workbook } from "../workbook/port";
import { loadTemplates } from "./load-templates";

export interface DemoStartOptions {
  readonly connection: ConnectionService;
  /** Reads a file beside the add-in: the embedded service lists its demo world there. */
  readJson(path: string): Promise<unknown>;
  workbook(): Workbook | null;
}

/** Resolves when the sheet stands; its cells fill afterwards. Rejects with an InvError, before the sheet is begun. */
export async function startDemo(options: DemoStartOptions): Promise<void> {
  const workbook = options.workbook();
  const demo = options.connection.get().environments.find(({ kind }) => kind === "demo");
  if (!workbook || !demo || !isConfigured(demo)) {
    throw new InvError(
      "not-connected",
      "The demo needs an open workbook and INV's own server. Ask your administrator.",
    );
  }
  const { builtInTemplate, buildTemplate, demoRows, readDemoData } = await loadTemplates();
  const rows = demoRows(readDemoData(await options.readJson("demo-data")));
  await options.connection.connect({ environmentId: demo.id }, { tested: false });
  await buildTemplate(workbook, { template: builtInTemplate("planning"), rows, columns: new Set() });
}
