/**
 * Loads the chunks of this build. Every `import()` of the add-in ends here, so a chunk that can't be loaded says the same everywhere.
 * A chunk that the server doesn't have, because INV was updated since the page opened, gets a sentence of its own: the network isn't at
 * fault, and only a new page helps. It is asked for twice before, because during an upgrade of several servers another one may have it.
 */
import { InvError } from "../domain/errors";

export type ChunkLoad = (id: string | number) => Promise<unknown>;

const updated = "INV was updated. Close the workbook and open it again.";
const notLoaded =
  "INV couldn't load a part of itself. Nothing was changed. Check your network connection, then try again or reload INV.";

/** @param statusOf asks the server for the status of this address; rejects without an answer */
export function createChunkLoad(load: ChunkLoad, statusOf: (address: string) => Promise<number>): ChunkLoad {
  async function isGone(error: unknown): Promise<boolean> {
    // webpack's error names the script.
    const address: unknown = Reflect.get(Object(error) as object, "request");
    if (typeof address !== "string") return false;
    return (await statusOf(address).catch(() => 0)) === 404;
  }

  return (id) =>
    load(id)
      .catch(() => load(id))
      .catch(async (error: unknown) => {
        const words = (await isGone(error)) ? updated : notLoaded;
        throw new InvError("unreachable", words, { cause: error });
      });
}
