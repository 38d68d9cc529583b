/**
 * An environment's credentials that the server holds, for the relay: sessions stand before them, and one token of the
 * service serves all. A person whom the provider lets in no longer is out at their next renewal, where the provider
 * gave what it takes to ask; while it is away, who is in stays in.
 */
import type { SteadyClock } from "../company/clock";
import type { HeldCredentials } from "../relay/held-credentials";
import type { CompanyToken } from "./company-token";
import type { Provider } from "./provider";
import type { Session, Sessions } from "./sessions";

export interface HeldOptions {
  readonly environment: string;
  readonly consumerId: string;
  readonly clock: SteadyClock;
  readonly sessions: Sessions;
  readonly provider: Pick<Provider, "again">;
  readonly token: CompanyToken;
  /** The provider no longer lets them in. */
  readonly putOut: (session: Session) => void;
}

/** Tokens of pages live a quarter of an hour and are renewed ahead: each renewal but those of other workbooks looks. */
const checkAfterMs = 600_000;

export function createHeldCredentials(options: HeldOptions): HeldCredentials {
  const { environment, consumerId, clock, sessions, provider, token, putOut } = options;
  const checks = new Map<string, Promise<void>>();

  async function check(session: Session): Promise<void> {
    const answer = await provider.again(session.signedIn);
    if (answer.kind === "not-allowed" || answer.kind === "refused") {
      sessions.end(session.person);
      putOut(session);
      return;
    }
    // One that is away is asked again at the next renewal.
    if (answer.kind !== "in") return;
    session.signedIn = answer.signedIn;
    session.checkedAtMs = clock.now();
  }

  /** Once at a time: a provider may take a refresh token only once. */
  function checked(session: Session): Promise<void> {
    const { person, signedIn, checkedAtMs } = session;
    if (signedIn.refreshToken === null || clock.now() < checkedAtMs + checkAfterMs) return Promise.resolve();
    const underWay = checks.get(person) ?? check(session).finally(() => checks.delete(person));
    checks.set(person, underWay);
    return underWay;
  }

  return {
    consumerId,
    async admit(text) {
      const session = sessions.find(environment, text);
      if (session === null) return null;
      await checked(session);
      const { person, endsAtMs } = session;
      return sessions.isIn(person) ? { person, endsInMs: endsAtMs - clock.now() } : null;
    },
    isIn: (person) => sessions.isIn(person),
    token: () => token.current(),
    refused: (serviceToken) => token.refused(serviceToken),
    worked: (serviceToken) => token.worked(serviceToken),
  };
}
