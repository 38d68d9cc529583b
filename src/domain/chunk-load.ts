/**
 * Loads the chunks of a page's build. Every `import()` of the add-in and of the browser workbook ends here, so a chunk that can't be
 * loaded says the same everywhere, never webpack's own text. A chunk that the server doesn't have, because INV was updated since the page
 * opened, gets a sentence of its own: the network isn't at fault, and only a new page helps. It is asked for twice before, because during
 * an upgrade of several servers another one may have it.
 */
import { InvError } from "./errors";

type ChunkLoad = (id: string | number) => Promise<unknown>;

declare global {
  /** webpack's function behind every import() of a build. */
  var __webpack_chunk_load__: ChunkLoad;
}

const updated = "INV was updated. Close the workbook and open it again.";
const notLoaded =
  "INV couldn't load a part of itself. Nothing was changed. Check your network connection, then try again or reload INV.";

type Ask = (address: string, how: { method: "HEAD"; cache: "no-store" }) => Promise<{ status: number }>;

/** @param ask the browser's fetch */
export function createChunkLoad(load: ChunkLoad, ask: Ask): ChunkLoad {
  async function isGone(error: unknown): Promise<boolean> {
    // webpack's error names the script.
    const address: unknown = Reflect.get(Object(error) as object, "request");
    if (typeof address !== "string") return false;
    const answer = await ask(address, { method: "HEAD", cache: "no-store" }).catch(() => null);
    return answer?.status === 404;
  }

  return (id) =>
    load(id)
      .catch(() => load(id))
      .catch(async (error: unknown) => {
        const words = (await isGone(error)) ? updated : notLoaded;
        throw new InvError("unreachable", words, { cause: error });
      });
}
