/** Turns the failure to load a chunk into an InvError that tells people what to do. */
import { InvError, isInvError } from "../domain/errors";

export function loaded<T>(chunk: Promise<T>): Promise<T> {
  return chunk.catch((cause: unknown) => {
    // It says more: INV was updated.
    if (isInvError(cause)) throw cause;
    throw new InvError(
      "unreachable",
      "INV couldn't load a part of itself. Nothing was changed. Check your network connection, then try again.",
      { cause },
    );
  });
}
