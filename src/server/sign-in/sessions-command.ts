/** `inv sessions`: asks the running server who is signed in, and has it end one session or all. */
import { request } from "node:http";
import { ConfigError } from "../settings/faults";
import { adminHeader, type AdminPlace, type ListedSession } from "./admin";

/** "all", the id of one, or null to list them. */
export type ToEnd = string | null;

/** What to print. Rejects with a `ConfigError` where there is no such session, or the server does not answer. */
export async function sessionsCommand(place: AdminPlace, toEnd: ToEnd): Promise<string> {
  const path = toEnd === null || toEnd === "all" ? "/sessions" : `/sessions/${encodeURIComponent(toEnd)}`;
  const sessions = await ask(place, toEnd === null ? "GET" : "DELETE", path);
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

function ask({ socket, port }: AdminPlace, method: string, path: string): Promise<readonly ListedSession[]> {
  const where = socket === null ? { host: "127.0.0.1", port: port ?? 0 } : { socketPath: socket };
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new ConfigError(why));
    const noServer = `No server of INV answers at ${socket ?? `127.0.0.1:${String(port)}`}.`;
    const asked = request({ ...where, method, path, headers: { [adminHeader]: "1" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        if (response.statusCode === 503) fail("The server cannot reach Redis, which holds the sessions.");
        else if (response.statusCode !== 200) fail(noServer);
        else resolve(JSON.parse(Buffer.concat(chunks).toString()) as readonly ListedSession[]);
      });
    });
    asked.on("error", () => fail(noServer));
    asked.end();
  });
}
