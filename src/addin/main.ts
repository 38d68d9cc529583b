/**
 * Runs last, when the functions are registered, and loads the rest of INV. Invariant: the functions start or fail;
 * otherwise cells would show #BUSY! forever.
 */
import { createChunkLoad } from "../domain/chunk-load";
import { toInvError } from "../domain/errors";
import { failFunctions } from "../functions/context";
import { findBrowserHost } from "./find-browser-host";
import { associateCommands, createCommandQueue } from "./command-queue";
import { createRealClock } from "./real-clock";
import { showStartMessage } from "./start-message";

__webpack_chunk_load__ = createChunkLoad(__webpack_chunk_load__, fetch);
const queue = createCommandQueue();
associateCommands(queue, {
  browserHost: findBrowserHost(window),
  office: "Office" in window ? window.Office : null,
});

import(/* webpackChunkName: "core" */ "./start")
  .then(({ start }) => start(queue))
  .catch((error: unknown) => {
    const reason = toInvError(error);
    queue.close();
    failFunctions(reason, createRealClock());
    showStartMessage(reason.message);
  });
