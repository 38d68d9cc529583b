/**
 * The credentials that the server has for an environment, as the relay uses them: people come in with sessions, and one token
 * of the service serves all. When a page renews its token, the provider is asked again whether the person may still come in,
 * if it gave a refresh token. While the provider is away, whoever is in stays in.
 * Invariant: a refresh token that the provider replaced isn't lost while this process lives, because the provider may take the
 * one before it as stolen. If the store is away, it is kept here and stored as soon as the store answers.
 */
import { LRUCache } from "lru-cache";
import type { HeldCredentials } from "../relay/held-credentials";
import type { SteadyClock } from "../shared-quota/clock";
import type { CompanyToken } from "./company-token";
import type { Provider } from "./provider";
import { mostSessions, type SignInSession, type Sessions, type SignedIn } from "./sessions";

export interface HeldOptions {
  readonly environment: string;
  readonly consumerId: string;
  readonly sessions: Sessions;
  readonly provider: Pick<Provider, "again">;
  readonly token: CompanyToken;
  readonly clock: Pick<SteadyClock, "setTimeout">;
  /** The provider no longer lets them in. */
  readonly onPutOut: (session: SignInSession) => void;
  /** Gets the reason if the provider couldn't be asked again about somebody; they stay in. */
  readonly warn: (reason: string) => void;
}

/** Tokens of pages live a quarter of an hour and are renewed earlier, so nearly each renewal of a person asks the provider. */
const renewalChecksAfterMs = 600_000;
/** Checks in a row, ten minutes apart. A provider in trouble has been repaired by then. */
const mostDoubts = 3;
/** The other servers ask the provider again 45 seconds after this one began to. */
const storeAgainMs = 2_000;

type Found = SignInSession & SignedIn;

export function createHeldCredentials(options: HeldOptions): HeldCredentials {
  const { environment, consumerId, sessions, provider, token, clock, onPutOut, warn } = options;
  const checks = new Map<string, Promise<void>>();
  /** What the provider answered while the store was away. */
  const unstored = new LRUCache<string, SignedIn>({ max: mostSessions });
  /** Checks in a row in which the provider refused somebody without a reason. */
  const doubts = new LRUCache<string, number>({ max: mostSessions });

  async function store(text: string, person: string, signedIn: SignedIn): Promise<void> {
    unstored.set(person, signedIn);
    if ((await sessions.confirm(environment, text, signedIn)) === "away") {
      clock.setTimeout(() => {
        // The provider may have answered again since.
        if (unstored.get(person) === signedIn) void store(text, person, signedIn);
      }, storeAgainMs);
    } else if (unstored.get(person) === signedIn) unstored.delete(person);
  }

  async function check(text: string, session: Found, checkAfterMs: number): Promise<void> {
    const { person } = session;
    const latest = unstored.get(person) ?? session;
    if (latest.refreshToken === null || (await sessions.isDue(person, checkAfterMs)) !== "due") return;
    const answer = await provider.again(latest);
    if (answer.kind === "away") warn(`The sign-in's provider cannot be asked again: ${answer.reason}`);
    if (answer.kind === "in" || answer.kind === "doubtful") await store(text, person, answer.signedIn);
    const doubted = answer.kind === "doubtful" ? (doubts.get(person) ?? 0) + 1 : 0;
    doubts.set(person, doubted);
    // A provider that is away is asked again at a later renewal.
    if (answer.kind === "in" || answer.kind === "away") return;
    if (answer.kind === "doubtful" && doubted < mostDoubts) return;
    unstored.delete(person);
    const ended = await sessions.end(person);
    if (ended.kind === "ended") onPutOut(ended.session);
  }

  /** Requests that come during a check wait for it. */
  function checkOnce(text: string, session: Found, checkAfterMs: number): Promise<void> {
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
      await checkOnce(text, found.session, checkAfterMs);
      const isIn = await sessions.isIn(person);
      return isIn === "in" ? { kind: "admitted", person, endsInMs } : { kind: isIn };
    },
    token: () => token.current(),
    refused: (serviceToken) => token.refused(serviceToken),
    worked: (serviceToken) => token.worked(serviceToken),
  };
}
