/** Removes new sheets that INV couldn't complete, because people would take a part for the whole. */
import { InvError, toInvError } from "../domain/errors";

/**
 * Always rejects with the error that kept INV from completing the sheets. If they can't be removed either, it also names them.
 * @param names as INV added them
 */
export async function removeUnfinished(
  error: unknown,
  names: readonly string[],
  remove: () => Promise<void>,
): Promise<never> {
  await remove().catch(() => {
    const { code, message } = toInvError(error);
    const added = names.map((name) => `"${name}"`).join(", ");
    throw new InvError(code, `${message} INV couldn't remove what it had added. Delete ${added}.`, {
      cause: error,
    });
  });
  throw error;
}
