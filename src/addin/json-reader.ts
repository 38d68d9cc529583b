/** Reads JSON files from the add-in's server: sample stores and items, the team's templates. */
import type { Transport } from "../api/transport";
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import { withinTime } from "./time-limit";

const limitMs = 20_000;

/** Returns a reader that rejects with an InvError that names the file. Paths are relative to the page's address. */
export function createJsonReader(options: {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly baseUrl: string;
}): (path: string) => Promise<unknown> {
  const { transport, clock, baseUrl } = options;
  async function read(path: string, signal: AbortSignal): Promise<unknown> {
    const response = await transport(new Request(new URL(path, baseUrl), { signal }));
    return response.ok ? response.json() : null;
  }

  return async (path) => {
    const content = await withinTime((signal) => read(path, signal), { clock, limitMs }).catch(() => null);
    if (content !== null) return content;
    throw new InvError(
      "unreachable",
      `INV couldn't read "${path}" from its server. Check your network connection and that the server is running, then try again.`,
    );
  };
}
