/**
 * The routes of sign-in. A window starts here, goes to the provider and returns. A pane then exchanges its
 * code for a session, and later ends that session. Windows arrive by navigation, and only pages of this
 * server may send the pane's requests. No address in a request decides where a browser is redirected.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { unguessable } from "../digest";
import { networkOf } from "../edge/network";
import { requireOwnPage } from "../edge/own-page";
import { jsonAnswer, refusal, sendAnswer } from "../answer";
import { awayRefusal } from "../relay/own-refusals";
import type { SteadyClock } from "../steady-clock";
import type { RedirectToProvider, SignInWindow } from "./window";
import { failedPage, type WindowPage } from "./window-page";
import type { Named, Sessions } from "./sessions";
import type { PendingSignIns } from "./pending-sign-ins";

export interface SignInRoutesOptions {
  readonly environments: readonly string[];
  readonly window: SignInWindow;
  readonly pendingSignIns: Pick<PendingSignIns, "take">;
  readonly sessions: Sessions;
  /** Gets the ended session's refresh token, if it had one. */
  readonly onSignedOut: (refreshToken: string | null) => void;
  readonly onSession: (what: "in" | "out", who: Named, environment: string) => void;
  readonly clock: Pick<SteadyClock, "now">;
  readonly warn: (reason: string) => void;
}

/**
 * A browser's cookie, such as `__Host-inv-sign-in-h3Gk_9aZ=VALUE`. All of its sign-ins use one, so that they need no room there. Windows that
 * begin before there is one get one each, of a name of its own: none replaces another's. `__Host-` means that only this server can set
 * it, over TLS and for all paths.
 */
const cookiePattern = /^__Host-inv-sign-in-[\w-]{8}=[\w-]{43}$/;
const newCookie = () => `__Host-inv-sign-in-${unguessable().slice(0, 8)}=${unguessable()}`;
const cookieRules = "Path=/; Secure; HttpOnly; SameSite=Lax";
const cookieSeconds = 600;
const maxBodyBytes = 4_096;

const codeForm = z.strictObject({
  code: z.string().max(40),
  verifier: z.string().regex(/^[A-Za-z0-9_-]{43,128}$/),
});
const sessionForm = z.strictObject({ session: z.string().max(100) });

type OfEnvironment = { Params: { environment: string }; Querystring: Record<string, unknown> };

export async function signInRoutes(fastify: FastifyInstance, options: SignInRoutesOptions): Promise<void> {
  const { window, pendingSignIns, sessions, onSession, onSignedOut, clock, warn } = options;
  const [beginnings, returns] = [createAttempts(clock), createAttempts(clock)];
  const isKnown = (environment: string): boolean => options.environments.includes(environment);

  /** Returns null if this sign-in may begin or return. */
  function refusedAttempt(attempts: Attempts, { ip }: FastifyRequest, reply: FastifyReply) {
    const seconds = attempts.admit(networkOf(ip));
    if (seconds === null) return null;
    warn("Sign-ins were refused: more began or returned within a minute than INV allows.");
    const words =
      "Too many people sign in right now. Close this window, and start again in INV's pane in a minute.";
    return show(
      reply.header("retry-after", String(seconds)),
      failedPage(429, "Try again in a minute", words),
    );
  }

  fastify.get<OfEnvironment>(
    "/sign-in/begin/:environment",
    { exposeHeadRoute: false },
    async (request, reply) => {
      const refused = refusedAttempt(beginnings, request, reply);
      if (refused !== null) return refused;
      const { environment } = request.params;
      const begun = await window.begin({
        environment: isKnown(environment) ? environment : null,
        challenge: stringOrEmpty(request.query["challenge"]),
        via: stringOrEmpty(request.query["via"]),
        asksForAccount: stringOrEmpty(request.query["account"]) === "choose",
        browser: browsersOf(request)[0] ?? newCookie(),
        // `request.host` is what a trusted proxy forwards, if there is one.
        hosts: [request.headers.host ?? "", request.host],
        isWindow: isWindow(request),
      });
      return show(reply, begun);
    },
  );

  fastify.get<OfEnvironment>("/sign-in/back", { exposeHeadRoute: false }, async (request, reply) => {
    const refused = refusedAttempt(returns, request, reply);
    if (refused !== null) return refused;
    const queryAt = request.raw.url?.indexOf("?") ?? -1;
    const state = stringOrEmpty(request.query["state"]);
    const returned = await window.back({
      query: queryAt < 0 ? "" : (request.raw.url ?? "").slice(queryAt),
      state,
      browsers: browsersOf(request),
      isWindow: isWindow(request),
    });
    return show(reply, returned);
  });

  const ownPageOnly = { bodyLimit: maxBodyBytes, onRequest: requireOwnPage };

  fastify.post<OfEnvironment>("/sign-in/session/:environment", ownPageOnly, async (request, reply) => {
    const { environment } = request.params;
    const form = codeForm.safeParse(request.body);
    if (!form.success) {
      return sendAnswer(reply, refusal(400, "The request must contain the code and its verifier."));
    }
    const { code, verifier } = form.data;
    const taken = isKnown(environment) ? await pendingSignIns.take(environment, code, verifier) : null;
    if (taken?.kind === "away") return sendAnswer(reply, awayRefusal());
    if (taken?.kind !== "taken") {
      return sendAnswer(reply, refusal(403, "This code is wrong or has expired. Sign in again."));
    }
    const { signedIn } = taken;
    const begun = await sessions.begin(environment, signedIn);
    if (begun.kind === "away") return sendAnswer(reply, awayRefusal());
    onSession("in", signedIn, environment);
    const seconds = Math.floor(sessions.totalMs / 1_000);
    return sendAnswer(
      reply,
      jsonAnswer(200, { session: begun.text, name: signedIn.name, expires_in: seconds }),
    );
  });

  fastify.post<OfEnvironment>("/sign-in/end/:environment", ownPageOnly, async (request, reply) => {
    const form = sessionForm.safeParse(request.body);
    if (!form.success) return sendAnswer(reply, refusal(400, "The request must contain the session."));
    const { environment } = request.params;
    const found = await sessions.find(environment, form.data.session);
    const end = found.kind === "found" ? await sessions.end(found.session.person) : found;
    if (end.kind === "ended" && found.kind === "found") onSignedOut(found.session.refreshToken);
    if (end.kind === "away") return sendAnswer(reply, awayRefusal());
    if (end.kind === "ended") onSession("out", end.session, environment);
    return sendAnswer(reply, jsonAnswer(200, {}));
  });
  await Promise.resolve();
}

/**
 * Returns whether the request is a window's navigation, and not a request of a frame, image or script. Older
 * browsers don't send this header, so they pass.
 */
function isWindow({ headers }: FastifyRequest): boolean {
  const destination = headers["sec-fetch-dest"];
  return destination === undefined || destination === "document";
}

function browsersOf({ headers }: FastifyRequest): readonly string[] {
  return (headers.cookie ?? "").split("; ").filter((cookie) => cookiePattern.test(cookie));
}

function stringOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function show(reply: FastifyReply, next: WindowPage | RedirectToProvider): FastifyReply {
  if ("status" in next) return reply.code(next.status).headers(next.headers).send(next.body);
  return reply
    .header("set-cookie", `${next.browser}; Max-Age=${cookieSeconds}; ${cookieRules}`)
    .header("cache-control", "no-store")
    .redirect(next.address.href, 302);
}

interface Attempts {
  /** Returns null, or the seconds until the network may try again. */
  admit(network: string): number | null;
}

const minuteMs = 60_000;
const mostOfNetwork = 200;
const mostOfProcess = 1_000;

/**
 * Bounds how often sign-ins begin and return, each by itself: 200 a minute for a network, which an office behind one address doesn't
 * reach, and 1,000 for this process. So nobody can use up the provider or Redis, where each return is remembered for ten minutes.
 */
function createAttempts(clock: Pick<SteadyClock, "now">): Attempts {
  const byNetwork = new Map<string, number>();
  let sinceMs = -Infinity;
  let all = 0;
  return {
    admit(network) {
      const nowMs = clock.now();
      if (nowMs - sinceMs >= minuteMs) {
        sinceMs = nowMs;
        all = 0;
        byNetwork.clear();
      }
      const ofNetwork = byNetwork.get(network) ?? 0;
      const isFull = ofNetwork >= mostOfNetwork || all >= mostOfProcess;
      if (isFull) return Math.ceil((sinceMs + minuteMs - nowMs) / 1_000);
      byNetwork.set(network, ofNetwork + 1);
      all += 1;
      return null;
    },
  };
}
