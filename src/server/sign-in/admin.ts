/**
 * For the administrator of the server's machine: who is signed in and since when, and the way to end a session or all
 * of them. It listens on a socket that its own account alone can open, or on a port of this machine, and is no part of
 * what people reach. No page can use it: it wants a header that browsers send for no foreign page, and its own name.
 */
import { chmod, unlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { isLoopback } from "../edge/hosts";
import type { SignInSession, Sessions } from "./sessions";

/** Where it listens; one of the two. */
export interface AdminPlace {
  readonly socket: string | null;
  readonly port: number | null;
}

export interface ListedSession {
  /** By which it can be ended. */
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly signedInSecondsAgo: number;
  readonly usedSecondsAgo: number;
  readonly endsInSeconds: number;
}

export interface AdminOptions {
  readonly place: AdminPlace;
  readonly sessions: Sessions;
  readonly ended: (session: SignInSession) => void;
}

export const adminHeader = "inv-admin";

/** Resolves when it listens; with the way to close it. */
export async function openAdmin(options: AdminOptions): Promise<() => Promise<void>> {
  const { socket, port } = options.place;
  const server = createServer((request, response) => {
    void answerTo(request, options).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(JSON.stringify(body));
    });
  });
  // What a process left that was killed.
  if (socket !== null) await unlink(socket).catch(() => undefined);
  await listening(server, socket ?? { host: "127.0.0.1", port: port ?? 0 });
  if (socket !== null && process.platform !== "win32") await chmod(socket, 0o600);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function listening(
  server: Server,
  place: string | { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => resolve());
  });
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answerTo(request: IncomingMessage, options: AdminOptions): Promise<Answer> {
  const { place, sessions, ended } = options;
  const name = (request.headers.host ?? "").replace(/:\d+$/, "");
  const isOwn = place.socket !== null || isLoopback(name);
  if (request.headers[adminHeader] === undefined || !isOwn) return { status: 403, body: {} };
  const path = /^\/sessions(?:\/([^/?#]+))?$/.exec(request.url ?? "");
  if (path === null) return { status: 404, body: {} };
  const [, id] = path;
  const isToEnd = request.method === "DELETE";
  if (!isToEnd && request.method !== "GET") return { status: 405, body: {} };
  const all = await sessions.list();
  if (all.kind === "away") return { status: 503, body: {} };
  const chosen = all.sessions.filter(({ person }) => id === undefined || person === id);
  for (const { person } of isToEnd ? chosen : []) {
    const end = await sessions.end(person);
    if (end.kind === "away") return { status: 503, body: {} };
    if (end.kind === "ended") ended(end.session);
  }
  return { status: 200, body: chosen.map(listed) };
}

function listed(session: SignInSession): ListedSession {
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
