/**
 * Which environment the browser workbook begins with: the one that the embedded service answers, the demo or a stock
 * file. Each has a workbook and a choice of its own on this device, so that one's figures never stand in the other's.
 */
import { isEmbedded } from "../../domain/environment";
import * as z from "../../domain/zod";

const list = z.object({
  environments: z.array(
    z.object({ id: z.string(), kind: z.enum(["demo", "file", "sandbox", "production"]) }),
  ),
});

/** @param environments the answer of `/environments.json`; where it cannot be read, the demo is begun with */
export async function firstEnvironment(environments: Promise<unknown>): Promise<string> {
  const parsed = z.safeParse(list, await environments.catch(() => null));
  const found = parsed.success ? parsed.data.environments.find(({ kind }) => isEmbedded(kind)) : undefined;
  return found?.id ?? "demo";
}
