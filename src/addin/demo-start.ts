/**
 * "Try with demo data": connects to the demo environment and fills a sample sheet in the open workbook.
 * The sheet's builder is loaded when it is wanted, since most people press the button once or never.
 */
import type { Transport } from "../api/transport";
import { isConfigured } from "../domain/environment";
import { InvError } from "../domain/errors";
import type { ConnectionService } from "../connection/types";
import type { Workbook } from "../workbook/port";
import { loadTemplates } from "./load-templates";

export interface DemoStartOptions {
  readonly connection: ConnectionService;
  readonly transport: Transport;
  /** Where the embedded service lists its demo world. */
  readonly demoDataUrl: string;
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
  const rows = demoRows(readDemoData(await fetchDemoData(options)));
  await options.connection.connect({ environmentId: demo.id }, { tested: false });
  await buildTemplate(workbook, { template: builtInTemplate("planning"), rows, columns: new Set() });
}

async function fetchDemoData({
  transport,
  demoDataUrl,
}: Pick<DemoStartOptions, "transport" | "demoDataUrl">): Promise<unknown> {
  try {
    const response = await transport(new Request(demoDataUrl));
    if (response.ok) return (await response.json()) as unknown;
  } catch {
    // Told below, the same as an answer that is not one.
  }
  throw new InvError(
    "unreachable",
    "The demo's stores and items cannot be read. Check the network and that INV's server is running, then try again.",
  );
}
