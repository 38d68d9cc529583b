/**
 * The command `sessions`: asks the running server who is signed in, or tells it to end one session or all.
 */
import { request } from "undici";
import { ConfigError } from "../settings/config-error";
import { type ListedSession, operationsHost } from "./port";

const noPort = "The configuration has no operationsPort. Add one, restart the server, and try again.";

/** "all", a session's ID, or null to list the sessions. */
export type ToEnd = string | null;

/**
 * Returns the text to print. Rejects with a `ConfigError` if the session doesn't exist, or the server doesn't
 * answer.
 */
export async function sessionsCommand(port: number | undefined, toEnd: ToEnd): Promise<string> {
  if (port === undefined) throw new ConfigError(noPort);
  const path = toEnd === null || toEnd === "all" ? "/sessions" : `/sessions/${encodeURIComponent(toEnd)}`;
  const sessions = await ask(`http://${operationsHost}:${port}`, toEnd === null ? "GET" : "DELETE", path);
  if (sessions.length === 0) {
    if (toEnd !== null && toEnd !== "all") throw new ConfigError("There is no such session.");
    return "Nobody is signed in.";
  }
  const lines = sessions.map((session) => (toEnd === null ? lineOf(session) : `Ended: ${session.name}`));
  return lines.join("\n");
}

function lineOf({ id, name, environment, ...times }: ListedSession): string {
  const { signedInSecondsAgo, usedSecondsAgo, endsInSeconds } = times;
  const [since, used, ends] = [signedInSecondsAgo, usedSecondsAgo, endsInSeconds].map(duration);
  return `${id}  ${environment}  ${name}: signed in ${since} ago, used ${used} ago, ends in ${ends}`;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

async function ask(
  origin: string,
  method: "GET" | "DELETE",
  path: string,
): Promise<readonly ListedSession[]> {
  const answer = await request(origin + path, { method }).catch(() => null);
  if (answer?.statusCode === 503) {
    throw new ConfigError("The server can't reach Redis, which contains the sessions.");
  }
  if (answer?.statusCode !== 200) throw new ConfigError(`No INV server answers at ${origin}.`);
  return (await answer.body.json()) as readonly ListedSession[];
}
