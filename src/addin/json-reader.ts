/** Reads JSON files beside the add-in: the demo's world, the team's templates. */
import type { Transport } from "../api/transport";
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import { withinTime } from "./time-limit";

const limitMs = 20_000;

export interface JsonReaderOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** The page's address, to which paths are relative. */
  readonly baseUrl: string;
}

/** Rejects with an InvError that names the file. */
export function createJsonReader({
  transport,
  clock,
  baseUrl,
}: JsonReaderOptions): (path: string) => Promise<unknown> {
  async function read(path: string, signal: AbortSignal): Promise<unknown> {
    const response = await transport(new Request(new URL(path, baseUrl), { signal }));
    return response.ok ? response.json() : null;
  }

  return async (path) => {
    const content = await withinTime((signal) => read(path, signal), { clock, limitMs }).catch(() => null);
    if (content !== null) return content;
    throw new InvError(
      "unreachable",
      `INV's server did not give "${path}". Check the network and that the server is running, then try again.`,
    );
  };
}
