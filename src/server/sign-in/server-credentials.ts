/**
 * The credentials that the server has for an environment, as the relay uses them. People are admitted by
 * their sessions, and all share one token of the service. When a page renews its token, the provider is asked
 * again whether the person is still allowed, if it issued a refresh token. While the provider is away,
 * admitted people stay admitted, but may not publish templates.
 * Invariant: while this process runs, it never loses a rotated refresh token, because the provider may treat
 * the previous one as stolen. If the store is away, the token stays in memory until the store answers.
 */
import { LRUCache } from "lru-cache";
import { unawaited } from "../../domain/unawaited";
import type { AdmittedSession, ServerCredentials } from "../relay/server-credentials";
import type { SteadyClock } from "../steady-clock";
import type { CompanyToken } from "./company-token";
import type { Provider } from "./provider";
import { mostSessions, type SignInSession, type Sessions, type SignedIn } from "./sessions";

export interface ServerCredentialsOptions {
  readonly environment: string;
  readonly consumerId: string;
  readonly sessions: Sessions;
  readonly provider: Pick<Provider, "recheck">;
  readonly token: CompanyToken;
  readonly clock: Pick<SteadyClock, "setTimeout">;
  readonly onPutOut: (session: SignInSession) => void;
  /** Called with the reason if the provider couldn't be asked again. The person stays admitted. */
  readonly warn: (reason: string) => void;
}

/** Page tokens live 15 minutes and are renewed earlier, so nearly each renewal asks the provider. */
const renewalChecksAfterMs = 600_000;
/**
 * Consecutive doubtful checks, ten minutes apart, before a session ends. By then, a faulty provider has been
 * repaired.
 */
const mostDoubts = 3;
/** Much shorter than the 45 seconds after which other servers ask the provider again. */
const storeAgainMs = 2_000;

type Found = SignInSession & SignedIn;

interface CheckedSession {
  readonly admitted: AdmittedSession;
  readonly isUnclear: boolean;
}

function admissionOf(found: Awaited<ReturnType<Sessions["find"]>>): AdmittedSession {
  if (found.kind === "away") return found;
  return found.kind === "found" ? { kind: "admitted", session: found.session } : { kind: "out" };
}

export function createServerCredentials(options: ServerCredentialsOptions): ServerCredentials {
  const { environment, consumerId, sessions, provider, token, clock, onPutOut, warn } = options;
  const checks = new Map<string, Promise<boolean>>();
  /** People about whom the provider's latest answer, or its absence, said nothing. */
  const unclear = new LRUCache<string, true>({ max: mostSessions });
  /** The provider's answers that the store couldn't take, because it was away. */
  const unstored = new LRUCache<string, SignedIn>({ max: mostSessions });
  /** Number of consecutive checks in which the provider refused a person without a reason. */
  const doubts = new LRUCache<string, number>({ max: mostSessions });

  async function store(text: string, person: string, signedIn: SignedIn): Promise<void> {
    unstored.set(person, signedIn);
    if ((await sessions.confirm(environment, text, signedIn)) === "away") {
      clock.setTimeout(() => {
        // Skip this if the provider has answered again since.
        if (unstored.get(person) === signedIn) unawaited(store(text, person, signedIn));
      }, storeAgainMs);
    } else if (unstored.get(person) === signedIn) unstored.delete(person);
  }

  /** Returns whether the provider was asked just now, and didn't say whether the person is still allowed. */
  async function check(text: string, session: Found, checkAfterMs: number): Promise<boolean> {
    const { person } = session;
    const latest = unstored.get(person) ?? session;
    // Without a refresh token, nobody can ask.
    if (latest.refreshToken === null) return false;
    // Another server may be asking, or have asked in vain. Who wants to know now isn't answered by that.
    const isAskedNow = checkAfterMs === 0;
    if ((await sessions.isDue(person, checkAfterMs)) !== "due") return isAskedNow || unclear.has(person);
    const answer = await provider.recheck(latest);
    if (answer.kind === "away") warn(`The sign-in provider can't be asked again: ${answer.reason}`);
    if (answer.kind === "in" || answer.kind === "doubtful") await store(text, person, answer.signedIn);
    const doubted = answer.kind === "doubtful" ? (doubts.get(person) ?? 0) + 1 : 0;
    doubts.set(person, doubted);
    const isUnclear = answer.kind === "away" || (answer.kind === "doubtful" && doubted < mostDoubts);
    if (isUnclear) unclear.set(person, true);
    else unclear.delete(person);
    // If the provider is away, a later renewal asks again.
    if (isUnclear || answer.kind === "in") return isUnclear;
    unstored.delete(person);
    const ended = await sessions.end(person);
    if (ended.kind === "ended") onPutOut(ended.session);
    return false;
  }

  /** Requests during a check share its result. */
  function checkOnce(text: string, session: Found, checkAfterMs: number): Promise<boolean> {
    const { person } = session;
    const underWay =
      checks.get(person) ?? check(text, session, checkAfterMs).finally(() => checks.delete(person));
    checks.set(person, underWay);
    return underWay;
  }

  async function checkSession(text: string, checkAfterMs: number): Promise<CheckedSession> {
    const before = await sessions.find(environment, text);
    if (before.kind !== "found") return { admitted: admissionOf(before), isUnclear: false };
    const isUnclear = await checkOnce(text, before.session, checkAfterMs);
    // The check may have ended the session, or changed what its person may do.
    return { admitted: admissionOf(await sessions.find(environment, text)), isUnclear };
  }

  return {
    consumerId,
    admit: async (text) => (await checkSession(text, renewalChecksAfterMs)).admitted,
    async confirm(text) {
      const { admitted, isUnclear } = await checkSession(text, 0);
      return isUnclear ? { kind: "unconfirmed" } : admitted;
    },
    token: () => token.current(),
    refused: (serviceToken) => token.refused(serviceToken),
    worked: (serviceToken) => token.worked(serviceToken),
  };
}
