/**
 * The bundle's last file, after the functions: they are registered when this runs. It fetches the rest of
 * INV, and settles what waits if that cannot be had.
 * Invariant: the functions' session is opened or failed; otherwise cells would show #BUSY! for ever.
 */
import { InvError, isInvError } from "../domain/errors";
import { failSession } from "../functions/session";
import { sayInPage } from "./say-in-page";

void import(/* webpackChunkName: "core" */ "./start")
  .then(({ start }) => start())
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
    failSession(reason);
    sayInPage(reason.message);
  });
