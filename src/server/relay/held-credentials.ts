/**
 * Credentials that the server holds for an environment, as the relay sees them: who a session belongs to, and the one
 * token of the service that serves all pages. Secret and sessions are `sign-in`'s.
 */
import type { RelayedAnswer } from "../answer";

export interface HeldCredentials {
  readonly consumerId: string;
  /**
   * Whose session this is, if it is one of this environment and may still be used; looked at when a page renews.
   * The provider is asked again where it was last asked so long ago, ten minutes unless given.
   */
  admit(session: string, checkAfterMs?: number): Promise<AdmittedSession>;
  /** The service's token, which may be used now. */
  token(): Promise<HeldToken>;
  /** The service refused a call for this token. */
  refused(serviceToken: string): void;
  /** The service took a call with it. */
  worked(serviceToken: string): void;
}

export type AdmittedSession =
  | {
      readonly kind: "admitted";
      readonly person: string;
      /** Until the session ends in any case. */
      readonly endsInMs: number;
    }
  /** It has ended, or is none of this environment. */
  | { readonly kind: "out" }
  /** The store of sessions cannot be asked now. */
  | { readonly kind: "away" };

export type HeldToken =
  | { readonly kind: "held"; readonly serviceToken: string }
  /** The service refuses the credentials; nothing is sent until they change, or some time has gone. */
  | { readonly kind: "refused" }
  /** There is none now. */
  | { readonly kind: "away"; readonly answer: RelayedAnswer };
