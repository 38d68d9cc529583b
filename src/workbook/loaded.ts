/** Parts of INV that come when they are first wanted: a chunk that cannot be had is said in words. */
import { InvError } from "../domain/errors";

export function loaded<T>(chunk: Promise<T>): Promise<T> {
  return chunk.catch((cause: unknown) => {
    throw new InvError(
      "unreachable",
      "This part of INV could not be loaded, and nothing was changed. Check the network, then try again.",
      { cause },
    );
  });
}
