/**
 * The administrator's port on this machine: Prometheus metrics, and sessions. It listens only on loopback,
 * refuses other host names and allows no other origin. So a page in a local browser can neither read an
 * answer nor end a session. A container's loopback can't be reached, so metrics, which contain no names, can
 * have an address of their own.
 */
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { monitoringHost, requireKnownHost } from "../edge/hosts";
import { limitConnections, limitedServer } from "../edge/limits";
import type { SignInSession, Sessions } from "../sign-in/sessions";
import type { Metrics } from "./metrics";

interface ListedSession {
  /** `DELETE /sessions/ID` ends the session with this ID. */
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly signedInSecondsAgo: number;
  readonly usedSecondsAgo: number;
  readonly endsInSeconds: number;
}

export interface MetricsPortOptions {
  readonly metrics: Pick<Metrics, "contentType" | "text" | "sessions">;
  /** Null without sign-in. */
  readonly sessions: Pick<Sessions, "list" | "end"> | null;
}

export interface MonitoringPortOptions extends MetricsPortOptions {
  readonly onSessionEnded: (session: SignInSession) => void;
}

/** `/metrics` alone, for a network that only Prometheus reaches, under any host name. */
export function createMetricsPort({ metrics, sessions }: MetricsPortOptions): FastifyInstance {
  const fastify = Fastify(limitedServer(null));
  limitConnections(fastify);
  fastify.addHook("onRequest", (_request, reply, done) => {
    reply.header("cache-control", "no-store");
    done();
  });
  fastify.get("/metrics", async (_request, reply) => {
    const all = (await sessions?.list()) ?? { kind: "away" };
    if (all.kind === "listed") metrics.sessions(all.sessions.length);
    const text = await metrics.text();
    return reply.type(metrics.contentType).send(text);
  });
  return fastify;
}

export function createMonitoringPort(options: MonitoringPortOptions): FastifyInstance {
  const { sessions, onSessionEnded } = options;
  const fastify = createMetricsPort(options);
  requireKnownHost(fastify, { hosts: [], host: monitoringHost });

  async function answerSessions(reply: FastifyReply, id: string | null, isToEnd: boolean): Promise<unknown> {
    if (sessions === null) return [];
    const all = await sessions.list();
    if (all.kind === "away") return reply.code(503).send(redisIsAway);
    const chosen = all.sessions.filter(({ person }) => id === null || person === id);
    for (const { person } of isToEnd ? chosen : []) {
      const end = await sessions.end(person);
      if (end.kind === "away") return reply.code(503).send(redisIsAway);
      if (end.kind === "ended") onSessionEnded(end.session);
    }
    return chosen.map(listedSession);
  }

  fastify.get("/sessions", (_request, reply) => answerSessions(reply, null, false));
  fastify.delete("/sessions", (_request, reply) => answerSessions(reply, null, true));
  fastify.delete<{ Params: { id: string } }>("/sessions/:id", ({ params }, reply) =>
    answerSessions(reply, params.id, true),
  );
  return fastify;
}

const redisIsAway = { error: "The server can't reach Redis, which contains the sessions." };

function listedSession(session: SignInSession): ListedSession {
  const seconds = (ms: number): number => Math.round(ms / 1_000);
  return {
    id: session.person,
    name: session.name,
    environment: session.environment,
    signedInSecondsAgo: seconds(session.startedAgoMs),
    usedSecondsAgo: seconds(session.usedAgoMs),
    endsInSeconds: seconds(session.endsInMs),
  };
}
