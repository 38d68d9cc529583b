/** The reason of all that is not asked because a person switched calls off. */
import { InvError } from "../domain/errors";

export function offline(): InvError {
  return new InvError(
    "offline",
    "INV is offline: no calls are sent. Go online in the INV pane to ask the service.",
  );
}
