/** A port of this machine that nobody listens on. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below those that a system gives to whoever wants any free one (Linux from 32768 on, others from 49152): so nobody
 * takes it between two of our processes, and two runs of the tests hardly ever find the same.
 */
const [first, last] = [20_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
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
