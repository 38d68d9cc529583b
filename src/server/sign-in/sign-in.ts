/**
 * The plug-in of sign-in: provider, sessions, pendingSignIns and routes, and what the relay needs for each environment
 * whose credentials the server has.
 */
import fastifyPlugin from "fastify-plugin";
import { createFewWarnings } from "../monitoring/few-warnings";
import type { SteadyClock } from "../steady-clock";
import type { AdmittedSession, ServerCredentials } from "../relay/server-credentials";
import type { TokenExchange } from "../relay/token-exchange";
import { createDispatcher } from "../relay/upstream";
import type { RealEnvironment, ServerConfig } from "../settings/read";
import { createCompanyToken } from "./company-token";
import { createPendingSignIns } from "./pending-sign-ins";
import { createServerCredentials } from "./server-credentials";
import type { SignInSettings } from "./person";
import { createProvider, type Provider } from "./provider";
import { signInRoutes } from "./routes";
import { createSecret } from "./secret";
import { createSessions, type Named, type SignInSession, type Sessions } from "./sessions";
import { createSignInWindow } from "./window";

export interface SignIn {
  /** Of all environments and, with Redis, of all servers. */
  readonly sessions: Pick<Sessions, "list" | "end">;
  credentialsFor(environment: RealEnvironment, target: TokenExchange["target"]): ServerCredentials;
  administratorEnded(session: SignInSession): void;
  /**
   * Returns the session's person, and whether they may publish templates. `isAskedNow` asks the provider
   * first, and `unconfirmed` means that it didn't say.
   */
  who(
    environment: string,
    session: string,
    options: { readonly isAskedNow: boolean },
  ): Promise<AdmittedSession | { readonly kind: "unconfirmed" }>;
}

declare module "fastify" {
  interface FastifyInstance {
    /** Missing if nobody signs in at this server. */
    readonly signIn?: SignIn;
  }
}

const hourMs = 3_600_000;
/** Of a minute, about what people do in sign-in windows. */
const mostWarnings = 20;
/** The provider is asked each minute while it is away, and otherwise less often. */
const lookEveryRounds = 5;

export const signIn = fastifyPlugin(async (fastify) => {
  const { config, clock, log, health, rounds, store, bind } = fastify.core;
  const { signIn: settings } = config;
  if (settings === undefined) return;
  const idleMs = settings.idleHours * hourMs;
  const sessions = createSessions({ store, bind, idleMs, totalMs: settings.totalHours * hourMs });
  const pendingSignIns = createPendingSignIns({ store, bind });
  const warn = (reason: string): void => log.warn({}, reason);
  const fewWarnings = createFewWarnings(log, { clock, perMinute: mostWarnings });
  const warnOfVisitors = (reason: string): void => fewWarnings({}, reason);
  let isAway = false;
  let isClosed = false;
  const { provider, close } = providerOf({
    config,
    settings,
    clock,
    warn: warnOfVisitors,
    observe(fault) {
      if (isClosed) return;
      if (fault !== null && !isAway) warn(providerAway(settings, fault));
      if (fault === null && isAway) log.info({}, "The sign-in provider can be used again.");
      isAway = fault !== null;
    },
  });
  health.add("sign-in", () => isAway);
  /** Questions to the provider that nobody waits for. Closing ends and awaits them, so that none outlives its server. */
  const inBackground = new Set<Promise<void>>();
  fastify.addHook("onClose", async () => {
    isClosed = true;
    await close();
    await Promise.all(inBackground);
  });
  const byEnvironment = new Map<string, ServerCredentials>();

  function askInBackground(answer: Promise<string | null>, onFault: (fault: string) => void): void {
    const done = answer.then((fault) => {
      inBackground.delete(done);
      if (fault !== null) onFault(fault);
    });
    inBackground.add(done);
  }

  function audit(
    what: "signed in" | "signed out" | "kept out" | "put out" | "signed out by the administrator",
    { name, subject }: Named,
    environment: string,
  ): void {
    if (settings?.audit === true) log.info({ environment, name, subject }, what);
  }

  fastify.decorate("signIn", {
    sessions,
    credentialsFor(environment, target) {
      const { id, clientId = "" } = environment;
      const token = createCompanyToken({
        clock,
        target,
        clientId,
        readSecret: createSecret(environment.secret ?? ""),
        warn: (reason) => log.warn({ environment: id }, reason),
      });
      const credentials = createServerCredentials({
        environment: id,
        consumerId: clientId,
        sessions,
        provider,
        token,
        clock,
        onPutOut: (session) => audit("put out", session, id),
        warn,
      });
      byEnvironment.set(id, credentials);
      return credentials;
    },
    administratorEnded(session) {
      audit("signed out by the administrator", session, session.environment);
    },
    async who(environment, session, { isAskedNow }) {
      const credentials = byEnvironment.get(environment);
      const admitted = isAskedNow ? credentials?.confirm(session) : credentials?.admit(session);
      return (await admitted) ?? { kind: "out" };
    },
  } satisfies SignIn);
  await fastify.register(signInRoutes, {
    environments: config.environments
      .filter(({ credentials }) => credentials === "server")
      .map(({ id }) => id),
    window: createSignInWindow({
      settings,
      pendingSignIns,
      provider,
      warn: warnOfVisitors,
      keptOut: (who, environment) => audit("kept out", who, environment),
    }),
    pendingSignIns,
    sessions,
    onSignedOut(refreshToken) {
      if (refreshToken === null) return;
      // Not awaited: the person has signed out, whatever the provider says.
      askInBackground(provider.revoke(refreshToken), (fault) =>
        warn(`A refresh token couldn't be revoked at the provider: ${fault}`),
      );
    },
    onSession: (what, who, environment) => audit(`signed ${what}`, who, environment),
    clock,
    warn: warnOfVisitors,
  });
  // Not awaited: people may already sign in while the provider is being asked.
  const look = (): void => askInBackground(provider.look(), () => undefined);
  look();
  let round = 0;
  rounds.add(() => {
    round += 1;
    if (isAway || round % lookEveryRounds === 0) look();
  });
});

/** Returns null if the provider answers, otherwise a sentence for the administrator. */
export async function lookAtProvider(config: ServerConfig, settings: SignInSettings): Promise<string | null> {
  const clock = { now: () => performance.now() };
  const ignore = (): void => undefined;
  const { provider, close } = providerOf({ config, settings, clock, warn: ignore, observe: ignore });
  try {
    const fault = await provider.look();
    return fault === null ? null : providerAway(settings, fault);
  } finally {
    await close();
  }
}

function providerAway({ issuer }: SignInSettings, fault: string): string {
  return `The sign-in provider can't be used at ${issuer}: ${fault.replace(/\.$/, "")}. Until that changes, nobody can sign in.`;
}

interface Reach {
  readonly config: ServerConfig;
  readonly settings: SignInSettings;
  readonly clock: Pick<SteadyClock, "now">;
  readonly warn: (reason: string) => void;
  readonly observe: (fault: string | null) => void;
}

function providerOf({ config, settings, clock, warn, observe }: Reach): {
  readonly provider: Provider;
  readonly close: () => Promise<void>;
} {
  const dispatcher = createDispatcher({ ...config.outgoing, connections: 16 });
  const provider = createProvider({
    settings,
    clock,
    dispatcher,
    warn,
    observe,
    readSecret: createSecret(settings.secret),
  });
  return { provider, close: () => dispatcher.destroy() };
}
