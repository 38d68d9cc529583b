/** Starts a built server as its own process on a free port, and knows its address. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { movedArguments } from "./moved-date";

const dist = join(__dirname, "..", "..", "dist");

export interface ServerProcess {
  /** Like `http://localhost:41234`. */
  readonly origin: string;
  /** What it printed so far. */
  output(): string;
  /** The text of `/metrics`. */
  metrics(): Promise<string>;
  /** Asks it to end (by SIGTERM unless told otherwise); resolves with its exit code, null when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends it by force. */
  kill(): Promise<number | null>;
  /** It holds its connections and answers nothing, until it goes on. */
  pause(): void;
  goOn(): void;
}

export interface ServerProcessOptions {
  /** Unless given, those of `npm start` for the server, and any free port for the service. */
  readonly arguments?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Of Node itself. */
  readonly nodeArguments?: readonly string[];
  /** The folder of the build, where it is not the project's. */
  readonly folder?: string;
}

const startWithinMs = 90_000;

const usualArguments = { server: ["--fault-switches"], service: ["--port", "0"] };

/** `server`: the add-in's server. `service`: the embedded service alone. */
export async function startServer(
  which: "server" | "service",
  options: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const args = options.arguments ?? usualArguments[which];
  const program = join(options.folder ?? dist, `${which}.js`);
  const nodeArguments = [...movedArguments(), ...(options.nodeArguments ?? [])];
  const child = spawn(process.execPath, [...nodeArguments, program, ...args], {
    env: {
      ...variablesOfNobody(),
      PORT: "0",
      INV_OPERATIONS_PORT: "0",
      INV_STOP_NOTICE_SECONDS: "0",
      ...options.variables,
    },
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
  });
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
    pause: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
  };
}

/** Without those that the server would take for settings: whoever runs the tests may have some for a server of their own. */
function variablesOfNobody(): NodeJS.ProcessEnv {
  const isSetting = /^(HOST|PORT|HTTPS_\w+|INV_\w+|NODE_EXTRA_CA_CERTS|\w+_PROXY)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting.test(name)));
}

/** For a configuration: the embedded service at this address as an environment of its own. */
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
