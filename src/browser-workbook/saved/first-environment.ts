/**
 * Which environment the browser workbook begins with: the one that the embedded service answers, the demo or a stock
 * file; where the server has none, its first. Each has a workbook and a choice of its own on this device, so that one's
 * figures never stand in the other's.
 */
import { isEmbedded } from "../../domain/environment";
import * as z from "../../domain/zod";

const list = z.object({
  environments: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["demo", "file", "sandbox", "production"]),
      embedded: z.optional(z.literal(true)),
      configured: z.optional(z.literal(false)),
    }),
  ),
});

export interface FirstEnvironment {
  readonly id: string;
  /** Its service lists stores and items for the first sheets. */
  readonly isEmbedded: boolean;
}

/** @param environments the answer of `/environments.json`; where it cannot be read, the demo is begun with */
export async function firstEnvironment(environments: Promise<unknown>): Promise<FirstEnvironment> {
  const parsed = z.safeParse(list, await environments.catch(() => null));
  const entries = parsed.success ? parsed.data.environments : [];
  const first = entries.find(isEmbedded) ?? entries.find(({ configured }) => configured !== false);
  return first === undefined
    ? { id: "demo", isEmbedded: true }
    : { id: first.id, isEmbedded: isEmbedded(first) };
}
