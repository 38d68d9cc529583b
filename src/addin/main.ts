/**
 * The bundle's last file, after the functions: they are registered when this runs. It fetches the rest of
 * INV, and settles what waits if that cannot be had.
 * Invariant: the functions' session is opened or failed; otherwise cells would show #BUSY! for ever.
 */
import { InvError, isInvError } from "../domain/errors";
import { failSession } from "../functions/session";
import { findBrowserHost } from "./browser-host";
import { associateCommands, createCommandDesk } from "./command-desk";
import { createRealClock } from "./real-clock";
import { sayInPage } from "./say-in-page";

const desk = createCommandDesk();
associateCommands(desk, {
  browserHost: findBrowserHost(window),
  office: "Office" in window ? window.Office : null,
});

void import(/* webpackChunkName: "core" */ "./start")
  .then(({ start }) => start(desk))
  .catch((error: unknown) => {
    const reason = isInvError(error)
      ? error
      : new InvError(
          "unreachable",
          "INV could not be loaded completely. Check the network, then reload INV.",
          {
            cause: error,
          },
        );
    desk.close();
    failSession(reason, createRealClock());
    sayInPage(reason.message);
  });
