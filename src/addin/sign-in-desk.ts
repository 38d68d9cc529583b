/**
 * Signing in, as the pane asks for it: a window, its code, and the session in use. Loaded when somebody looks at an
 * environment that people sign in for.
 */
import type { Transport } from "../api/transport";
import type { ConnectionManager } from "../connection/connection";
import { endSession, startSignIn } from "../connection/sign-in";
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import type { SignInDesk } from "../taskpane/services";
import type { Host } from "./host";
import { openSignInWindow } from "./sign-in-window";

export interface SignInDeskOptions {
  readonly connection: Pick<ConnectionManager, "connect" | "forget" | "sessionOf">;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Null on a page that is not secure. */
  readonly crypto: Crypto | null;
  readonly dialogs: Host["dialogs"];
}

export function createSignInDesk(options: SignInDeskOptions): SignInDesk {
  const { connection, transport, clock, crypto, dialogs } = options;
  return {
    async ready(environment) {
      if (crypto === null) {
        throw new InvError(
          "signed-out",
          "Signing in needs INV to be opened by https. Ask your administrator.",
        );
      }
      const started = await startSignIn({ environment, transport, crypto, clock });
      return {
        link: started.address("popup"),
        open: (tell) => {
          const url = started.address(dialogs === null ? "popup" : "dialog");
          return openSignInWindow({ dialogs, page: window }, url, tell);
        },
        async take(code, remember) {
          const credentials = await started.exchange(code);
          // Nobody who is signed in is to be kept from choosing it by a service that is down.
          await connection.connect(
            { environmentId: environment.id, credentials, remember },
            { tested: false },
          );
        },
      };
    },
    async signOut(environment) {
      const session = await connection.sessionOf(environment);
      await connection.forget(environment.id);
      if (session !== null) await endSession({ environment, transport }, session);
    },
  };
}
