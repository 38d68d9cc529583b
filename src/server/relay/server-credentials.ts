/**
 * What the relay needs from an environment whose credentials the server has: the sessions, and the service
 * token that all pages share.
 */
import type { RelayedAnswer } from "../answer";
import type { SignedIn, SignInSession } from "../sign-in/sessions";

export interface ServerCredentials {
  readonly consumerId: string;
  /**
   * Returns the session's person, if the session belongs to this environment and hasn't ended. The relay
   * calls it when a page renews its token. If the provider last confirmed the session more than ten minutes
   * ago, it is asked again.
   */
  admit(session: string): Promise<AdmittedSession>;
  /** Asks the provider now. `unconfirmed` means that it didn't say whether the person is still allowed. */
  confirm(session: string): Promise<AdmittedSession | { readonly kind: "unconfirmed" }>;
  token(): Promise<ServiceToken>;
  refused(serviceToken: string): void;
  worked(serviceToken: string): void;
}

export type AdmittedSession =
  | { readonly kind: "admitted"; readonly session: SignInSession & SignedIn }
  /** The session has ended, or belongs to another environment. */
  | { readonly kind: "out" }
  | { readonly kind: "away" };

export type ServiceToken =
  | { readonly kind: "valid"; readonly serviceToken: string }
  /** The service refuses the credentials. The server sends nothing until they change, or for a minute. */
  | { readonly kind: "refused" }
  | { readonly kind: "away"; readonly answer: RelayedAnswer };
