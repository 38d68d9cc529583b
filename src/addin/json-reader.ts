/** Reads JSON files beside the add-in: the demo's world, the team's templates. */
import type { Transport } from "../api/transport";
import { InvError } from "../domain/errors";

const limitMs = 20_000;

/** @param baseUrl the page's address, to which paths are relative */
export function createJsonReader(transport: Transport, baseUrl: string): (path: string) => Promise<unknown> {
  return async (path) => {
    try {
      const signal = AbortSignal.timeout(limitMs);
      const response = await transport(new Request(new URL(path, baseUrl), { signal }));
      if (response.ok) return (await response.json()) as unknown;
    } catch {
      // Told below, the same as an answer that is not one.
    }
    throw new InvError(
      "unreachable",
      `INV's server did not give "${path}". Check the network and that the server is running, then try again.`,
    );
  };
}
