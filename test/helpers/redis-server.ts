/**
 * A real redis-server of a test's own, on a free port of this machine, which keeps nothing on the disk. The binary is
 * the one that `INV_REDIS` names, else one on the PATH; where there is none, its tests are left out, and say so.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { connect, createServer } from "node:net";

const binary = process.env["INV_REDIS"] ?? "redis-server";
export const hasRedis = spawnSync(binary, ["--version"]).status === 0;

/** `describe` where there is a Redis; elsewhere its tests count as left out. */
export const describeWithRedis = hasRedis ? describe : describe.skip;

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sent to its process: `SIGSTOP` halts it, `SIGCONT` lets it go on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it anew on the same port, empty. */
  start(): Promise<void>;
  /** What it replies to a command, as it came; not over TLS. */
  command(...words: readonly string[]): Promise<string>;
}

export interface RedisServerOptions {
  readonly password?: string;
  /** Paths of PEM files: it then speaks TLS alone. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export async function startRedis({ password, tls }: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  const ports =
    tls === undefined
      ? ["--port", `${port}`]
      : ["--port", "0", "--tls-port", `${port}`, "--tls-cert-file", tls.cert, "--tls-key-file", tls.key];
  const settings = [
    ...ports,
    ...["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--tls-auth-clients", "no"],
    ...(password === undefined ? [] : ["--requirepass", password]),
  ];
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const started = spawn(binary, settings, { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    await new Promise<void>((resolve, reject) => {
      let printed = "";
      started.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes("Ready to accept connections")) resolve();
      });
      started.once("error", reject);
      started.once("exit", (code) =>
        reject(new Error(`redis-server ended with ${String(code)}:\n${printed}`)),
      );
    });
  }

  await start();
  return {
    port,
    url: `${tls === undefined ? "redis" : "rediss"}://localhost:${port}`,
    signal: (signal) => void child?.kill(signal),
    async kill() {
      const ending = child;
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill("SIGKILL");
      await ended;
    },
    start,
    command(...words) {
      const all = password === undefined ? [words] : [["AUTH", password], words];
      const socket = connect(port, "127.0.0.1");
      for (const each of all) {
        socket.write(
          `*${each.length}\r\n${each.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`,
        );
      }
      return new Promise((resolve, reject) => {
        let replied = "";
        socket.once("error", reject);
        socket.on("data", (chunk) => {
          replied += chunk.toString();
          if (password !== undefined && replied.split("\r\n").length < 3) return;
          socket.destroy();
          resolve(password === undefined ? replied : replied.slice(replied.indexOf("\r\n") + 2));
        });
      });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
