/**
 * Chooses the environment with which the browser workbook starts: the demo or stock file of the embedded service; without
 * one, the server's first. Each environment has its own workbook on this device, so that figures never mix.
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
  /** Whether its service is embedded, and so lists stores and items for the start sheets. */
  readonly isEmbedded: boolean;
}

/** @param environments the answer of `/environments.json`; if it can't be read, the result is the demo */
export async function firstEnvironment(environments: Promise<unknown>): Promise<FirstEnvironment> {
  const parsed = z.safeParse(list, await environments.catch(() => null));
  const entries = parsed.success ? parsed.data.environments : [];
  const first = entries.find(isEmbedded) ?? entries.find(({ configured }) => configured !== false);
  return first === undefined
    ? { id: "demo", isEmbedded: true }
    : { id: first.id, isEmbedded: isEmbedded(first) };
}
