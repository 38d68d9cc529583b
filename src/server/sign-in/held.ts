/**
 * An environment's credentials that the server holds, for the relay: sessions stand before them, and one token of the
 * service serves all. A person whom the provider lets in no longer is out at their next renewal, where the provider
 * gave what it takes to ask; while it is away, who is in stays in.
 */
import { LRUCache } from "lru-cache";
import type { HeldCredentials } from "../relay/held-credentials";
import type { CompanyToken } from "./company-token";
import type { Provider } from "./provider";
import { mostSessions, type SignInSession, type Sessions, type SignedIn } from "./sessions";

export interface HeldOptions {
  readonly environment: string;
  readonly consumerId: string;
  readonly sessions: Sessions;
  readonly provider: Pick<Provider, "again">;
  readonly token: CompanyToken;
  /** The provider no longer lets them in. */
  readonly putOut: (session: SignInSession) => void;
  /** Says in words why the provider could not be asked again about somebody; they stay in. */
  readonly warn: (reason: string) => void;
}

/** Tokens of pages live a quarter of an hour and are renewed ahead: each renewal but those of other workbooks looks. */
const renewalChecksAfterMs = 600_000;
/** Checks in a row, ten minutes apart, by which a provider in trouble has been mended. */
const mostDoubts = 3;

export function createHeldCredentials(options: HeldOptions): HeldCredentials {
  const { environment, consumerId, sessions, provider, token, putOut, warn } = options;
  const checks = new Map<string, Promise<void>>();
  /** What the provider said while the store was away. It may take a refresh token only once, so the new one counts. */
  const unconfirmed = new LRUCache<string, SignedIn>({ max: mostSessions });

  /** Checks in a row in which the provider refused somebody without a reason. */
  const doubts = new LRUCache<string, number>({ max: mostSessions });

  async function check(text: string, session: SignInSession & SignedIn, checkAfterMs: number): Promise<void> {
    const { person } = session;
    const latest = unconfirmed.get(person) ?? session;
    if (latest !== session) await confirm(text, person, latest);
    if (latest.refreshToken === null || (await sessions.isDue(person, checkAfterMs)) !== "due") return;
    const answer = await provider.again(latest);
    // One that is away is asked again at a later renewal.
    if (answer.kind === "away") warn(`The sign-in's provider cannot be asked again: ${answer.reason}`);
    if (answer.kind === "in" || answer.kind === "doubtful") await confirm(text, person, answer.signedIn);
    const doubted = answer.kind === "doubtful" ? (doubts.get(person) ?? 0) + 1 : 0;
    doubts.set(person, doubted);
    if (answer.kind === "in" || answer.kind === "away") return;
    if (answer.kind === "doubtful" && doubted < mostDoubts) return;
    const ended = await sessions.end(person);
    if (ended.kind === "ended") putOut(ended.session);
  }

  async function confirm(text: string, person: string, signedIn: SignedIn): Promise<void> {
    if ((await sessions.confirm(environment, text, signedIn)) === "kept") unconfirmed.delete(person);
    else unconfirmed.set(person, signedIn);
  }

  /** Who comes while it is under way waits for what it says. */
  function checked(text: string, session: SignInSession & SignedIn, checkAfterMs: number): Promise<void> {
    const { person } = session;
    const underWay =
      checks.get(person) ?? check(text, session, checkAfterMs).finally(() => checks.delete(person));
    checks.set(person, underWay);
    return underWay;
  }

  return {
    consumerId,
    async admit(text, checkAfterMs = renewalChecksAfterMs) {
      const found = await sessions.find(environment, text);
      if (found.kind === "away") return found;
      if (found.kind === "unknown") return { kind: "out" };
      const { person, endsInMs } = found.session;
      await checked(text, found.session, checkAfterMs);
      const isIn = await sessions.isIn(person);
      return isIn === "in" ? { kind: "admitted", person, endsInMs } : { kind: isIn };
    },
    token: () => token.current(),
    refused: (serviceToken) => token.refused(serviceToken),
    worked: (serviceToken) => token.worked(serviceToken),
  };
}
