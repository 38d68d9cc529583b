/**
 * A real redis-server for one test, on a free port of this machine, that writes nothing to disk. It is the binary that
 * INV_REDIS names, or the one on the path. If neither exists, tests that need Redis are skipped (`describeWithRedis`), and
 * `npm test` prints how many.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port";

export interface RedisProcess {
  readonly port: number;
  /** Like `redis://127.0.0.1:41234`; `rediss:` if it uses TLS. */
  readonly url: string;
  /** Kills the process. Its data is lost. */
  kill(): Promise<void>;
  /** Kills the process, but keeps its own file (`--appendonly yes`) for a restart. */
  crash(): Promise<void>;
  /** Starts it again on the same port; empty without such a file. */
  restart(): Promise<void>;
  /** Suspends the process: it keeps its connections but answers nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Sends a command and returns the raw reply; not over TLS. */
  command(...words: readonly string[]): Promise<string>;
}

export interface RedisOptions {
  /** Arguments before port and folder, such as `--appendonly yes` or the path of a configuration. */
  readonly arguments?: readonly string[];
  readonly password?: string;
  /** Paths of PEM files. If set, it accepts only TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const binary = process.env["INV_REDIS"] ?? "redis-server";
const startWithinMs = 30_000;

export const hasRedis = () => spawnSync(binary, ["--version"]).status === 0;

export function describeWithRedis(title: string, tests: () => void): void {
  (hasRedis() ? describe : describe.skip)(title, tests);
}

export async function startRedis({ password, tls, ...options }: RedisOptions = {}): Promise<RedisProcess> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "inv-redis-"));
  const ports =
    tls === undefined
      ? ["--port", String(port)]
      : ["--port", "0", "--tls-port", String(port), "--tls-cert-file", tls.cert, "--tls-key-file", tls.key];
  const args = [
    ...[...ports, "--tls-auth-clients", "no", "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    ...(password === undefined ? [] : ["--requirepass", password]),
  ];
  let child: ChildProcess | null = null;
  // If the test process exits early, it ends Redis too.
  const killAtExit = () => void child?.kill("SIGKILL");
  child = await start();

  function start(): Promise<ChildProcess> {
    process.once("exit", killAtExit);
    mkdirSync(folder, { recursive: true });
    // A configuration file must be the first argument.
    const started = spawn(binary, [...(options.arguments ?? []), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    return new Promise((resolve, reject) => {
      let printed = "";
      const fail = (reason: unknown) => reject(new Error(`${binary}: ${String(reason)}\n${printed}`));
      const timer = setTimeout(() => fail(`not ready within ${startWithinMs} ms`), startWithinMs);
      started.stdout.on("data", (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-10_000);
        if (!printed.includes("Ready to accept connections")) return;
        clearTimeout(timer);
        resolve(started);
      });
      started.once("error", fail);
      started.once("exit", (code) => fail(`ended with ${String(code)}`));
    });
  }

  async function kill(): Promise<void> {
    process.off("exit", killAtExit);
    const ending = child;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    await new Promise((resolve) => {
      ending.once("exit", resolve);
      ending.kill("SIGKILL");
    });
  }

  return {
    port,
    url: tls === undefined ? `redis://127.0.0.1:${port}` : `rediss://localhost:${port}`,
    async kill() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
    crash: kill,
    async restart() {
      await kill();
      child = await start();
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    command: (...words) => replyTo(port, password === undefined ? [words] : [["AUTH", password], words]),
  };
}

/** Returns the reply to the last command. */
function replyTo(port: number, commands: readonly (readonly string[])[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  for (const words of commands) {
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    socket.write(`*${words.length}\r\n${parts.join("")}`);
  }
  return new Promise((resolve, reject) => {
    let replied = "";
    socket.once("error", reject);
    socket.on("data", (chunk) => {
      replied += chunk.toString();
      const lines = replied.split("\r\n");
      if (lines.length <= commands.length) return;
      socket.destroy();
      resolve(lines.slice(commands.length - 1).join("\r\n"));
    });
  });
}
