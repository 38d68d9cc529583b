/** Finds a port of this machine on which nothing listens. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The range is below the ports that systems assign automatically (Linux from 32768, others from 49152). So no other
 * program takes the port between two of our processes. Eight workers of a run have ports of their own, and two runs rarely
 * choose the same one.
 */
const [first, last] = [20_000, 32_000];
const workers = 8;

export async function freePort(): Promise<number> {
  const own = Number(process.env.JEST_WORKER_ID ?? 0) % workers;
  for (;;) {
    const port = first + workers * randomInt((last - first) / workers) + own;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
