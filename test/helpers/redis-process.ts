/**
 * A real redis-server of a test's own, on a free port of this machine, that writes nothing to disk: the one that
 * INV_REDIS names, or else the one on the path. Where there is neither, tests that need one are left out
 * (`describeWithRedis`), and `npm test` says how many those were.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port";

export interface RedisProcess {
  readonly port: number;
  /** Like `redis://127.0.0.1:41234`; `rediss:` where it speaks TLS. */
  readonly url: string;
  /** Ends it by force. What it held is lost. */
  kill(): Promise<void>;
  /** The same, but that a file of its own (`--appendonly yes`) is there for a restart. */
  crash(): Promise<void>;
  /** Again, on the same port; empty without such a file. */
  restart(): Promise<void>;
  /** It holds its connections and answers nothing, until it goes on. */
  pause(): void;
  goOn(): void;
  /** What it replies to a command, as it came; not over TLS. */
  command(...words: readonly string[]): Promise<string>;
}

export interface RedisOptions {
  /** Before port and place, such as `--appendonly yes` or the path of a configuration. */
  readonly arguments?: readonly string[];
  readonly password?: string;
  /** Paths of PEM files: it then speaks TLS alone. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const binary = process.env["INV_REDIS"] ?? "redis-server";
const startWithinMs = 30_000;

const hasRedis = () => spawnSync(binary, ["--version"]).status === 0;

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
  // A test that is broken off takes it along.
  const killAtExit = () => void child?.kill("SIGKILL");
  child = await start();

  function start(): Promise<ChildProcess> {
    process.once("exit", killAtExit);
    mkdirSync(folder, { recursive: true });
    // A configuration file stands first.
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
    goOn: () => void child?.kill("SIGCONT"),
    command: (...words) => replyTo(port, password === undefined ? [words] : [["AUTH", password], words]),
  };
}

/** To the last of several commands. */
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
