/**
 * Runs last, when the functions are registered, and loads the rest of INV. Invariant: the functions' session opens or fails;
 * otherwise cells would show #BUSY! forever.
 */
import { toInvError } from "../domain/errors";
import { failFunctions } from "../functions/context";
import { findBrowserHost } from "./find-browser-host";
import { type ChunkLoad, createChunkLoad } from "./chunk-load";
import { associateCommands, createCommandQueue } from "./command-queue";
import { createRealClock } from "./real-clock";
import { showStartMessage } from "./start-message";

declare global {
  /** webpack's function behind every import() of this build. */
  var __webpack_chunk_load__: ChunkLoad;
}

__webpack_chunk_load__ = createChunkLoad(__webpack_chunk_load__, async (address) => {
  const { status } = await fetch(address, { method: "HEAD", cache: "no-store" });
  return status;
});
const queue = createCommandQueue();
associateCommands(queue, {
  browserHost: findBrowserHost(window),
  office: "Office" in window ? window.Office : null,
});

void import(/* webpackChunkName: "core" */ "./start")
  .then(({ start }) => start(queue))
  .catch((error: unknown) => {
    const reason = toInvError(error);
    queue.close();
    failFunctions(reason, createRealClock());
    showStartMessage(reason.message);
  });
