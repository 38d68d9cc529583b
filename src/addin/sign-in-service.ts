/**
 * Signs people in for the pane: opens the window, exchanges its code, and connects with the session. Loaded only for
 * environments that people sign in to.
 */
import type { Transport } from "../api/transport";
import type { ConnectionManager } from "../connection/connection";
import { endSession, startSignIn } from "../connection/sign-in";
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import type { SignInService } from "../taskpane/services";
import type { Host } from "./host";
import { openSignInWindow } from "./sign-in-window";

export function createSignInService(options: {
  readonly connection: Pick<ConnectionManager, "connect" | "forget" | "sessionOf">;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Null if the page is not secure. */
  readonly crypto: Crypto | null;
  readonly dialogs: Host["dialogs"];
  /** Null if the browser forbids storage. */
  readonly storage: Storage | null;
}): SignInService {
  const { connection, transport, clock, crypto, dialogs, storage } = options;
  /** The device remembers who signed out, because the provider would sign the same account in again without a word. */
  const signedOut = (id: string) => `inv.signed-out.${id}`;
  return {
    async prepare(environment) {
      if (crypto === null) {
        throw new InvError(
          "signed-out",
          "You can sign in only where INV is opened by https. Ask your administrator.",
        );
      }
      const started = await startSignIn({
        ...{ environment, transport, crypto, clock },
        asksForAccount: () => storage?.getItem(signedOut(environment.id)) === "1",
      });
      return {
        link: () => started.address("popup"),
        open: (onEvent) => {
          const url = started.address(dialogs === null ? "popup" : "dialog");
          return openSignInWindow({ dialogs, page: window }, url, onEvent);
        },
        async signIn(code, { remember, signal }) {
          const credentials = await started.exchange(code);
          storage?.removeItem(signedOut(environment.id));
          // Connect without a test: a service that is down must not keep a signed-in person from connecting.
          await connection.connect(
            { environmentId: environment.id, credentials, remember },
            { tested: false, signal },
          );
        },
      };
    },
    async signOut(environment) {
      const session = await connection.sessionOf(environment);
      await connection.forget(environment.id);
      storage?.setItem(signedOut(environment.id), "1");
      if (session !== null) await endSession({ environment, transport }, session);
    },
  };
}
