/** What the relay needs of an environment whose credentials the server has: sessions, and the service's token for all pages. */
import type { RelayedAnswer } from "../answer";

export interface HeldCredentials {
  readonly consumerId: string;
  /**
   * Returns whose session this is, if it is one of this environment and hasn't ended. Called when a page renews its token. Asks
   * the provider again if that was last done so long ago, by default ten minutes.
   */
  admit(session: string, checkAfterMs?: number): Promise<AdmittedSession>;
  token(): Promise<HeldToken>;
  /** The service refused a call for this token. */
  refused(serviceToken: string): void;
  /** The service accepted a call with this token. */
  worked(serviceToken: string): void;
}

export type AdmittedSession =
  | {
      readonly kind: "admitted";
      readonly person: string;
      /** However much the session is used. */
      readonly endsInMs: number;
    }
  /** It has ended, or belongs to another environment. */
  | { readonly kind: "out" }
  /** The store of sessions doesn't answer. */
  | { readonly kind: "away" };

export type HeldToken =
  | { readonly kind: "held"; readonly serviceToken: string }
  /** The service refuses the credentials. Nothing is sent until they change, or for a minute. */
  | { readonly kind: "refused" }
  /** No token can be fetched now. */
  | { readonly kind: "away"; readonly answer: RelayedAnswer };
