/** Starts a built server as its own process on a free port and returns its address. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { movedArguments } from "./moved-date";

const dist = join(__dirname, "..", "..", "dist");

export interface ServerProcess {
  /** Like `http://localhost:41234`. */
  readonly origin: string;
  output(): string;
  metrics(): Promise<string>;
  /** Sends a signal (default: SIGTERM). Resolves with the exit code, or null if a signal ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  kill(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Suspends the process: it keeps its connections but answers nothing until `resume`. */
  pause(): void;
  resume(): void;
}

export interface ServerProcessOptions {
  /** Default: those of `npm start` for the server, and any free port for the service. */
  readonly arguments?: readonly string[];
  /** Settings of the server, as in its file. Without `monitoringPort`, any free one. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** Arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
  /** The build's folder, if it is not the project's. */
  readonly folder?: string;
}

const startWithinMs = 90_000;

/** `server`: the add-in's server. `service`: the embedded service alone. */
export async function startServer(
  which: "server" | "service",
  options: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const isService = which === "service";
  const configuration = mkdtempSync(join(tmpdir(), "inv-server-"));
  const args = isService
    ? (options.arguments ?? ["0"])
    : [...configure(configuration, options.settings), ...(options.arguments ?? ["--fault-switches"])];
  const program = isService
    ? [join(__dirname, "typescript.cjs"), join(__dirname, "service", "main.ts")]
    : [join(options.folder ?? dist, "server.js")];
  const nodeArguments = [...movedArguments(), ...(options.nodeArguments ?? [])];
  const child = spawn(process.execPath, [...nodeArguments, ...program, ...args], {
    env: { ...variablesOfNobody(), PORT: "0", ...options.variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`No address within ${startWithinMs} ms:\n${printed}`));
    }, startWithinMs);
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(printed);
      if (address === null) return;
      clearTimeout(timer);
      resolve(address[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`The ${which} ended with ${String(code)}:\n${printed}`)));
    child.once("exit", () => clearTimeout(timer));
  }).finally(() => rmSync(configuration, { recursive: true }));
  const end = (signal: NodeJS.Signals) =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
      child.once("exit", resolve);
      child.kill(signal);
    });
  return {
    origin,
    output: () => printed,
    metrics: async () => (await fetch(/http:[^" ]+\/metrics/.exec(printed)?.[0] ?? "")).text(),
    stop: (signal = "SIGTERM") => end(signal),
    kill: () => end("SIGKILL"),
    signal: (name) => void child.kill(name),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

function configure(folder: string, settings: ServerProcessOptions["settings"]): readonly string[] {
  const path = join(folder, "inv.json");
  writeFileSync(path, JSON.stringify({ monitoringPort: 0, stopNoticeSeconds: 0, ...settings }));
  return ["--config", path];
}

/** The environment without the server's settings: the person who runs the tests may have some for their own server. */
function variablesOfNobody(): NodeJS.ProcessEnv {
  const isSetting = /^(PORT|INV_\w+|NODE_EXTRA_CA_CERTS)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting.test(name)));
}

/** An environment for a configuration: the embedded service at this address. */
export function trialEnvironment(origin: string) {
  return {
    id: "trial",
    label: "Trial",
    kind: "sandbox",
    tokenUrl: `${origin}/api-proxy/service/identity/oauth/v1/token`,
    searchUrl: `${origin}/search-items`,
    eventsUrl: `${origin}/events`,
  };
}
