/**
 * Opens a server's port, and closes it when the process ends: after a stop signal or an unexpected error. Both
 * the add-in's server and the stand-alone service use it.
 */
import { lookup } from "node:dns/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import { longestDrainMs } from "./edge/drain";
import { messageOf } from "../domain/errors";
import { ConfigError } from "./settings/config-error";
import { codeOf } from "./system-error";

export interface PortSetting {
  /** The setting that names the port. */
  readonly setting: "port" | "monitoringPort" | "metricsAddress";
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/**
 * Resolves with the port. Rejects with a `ConfigError` if it can't be opened. `localhost` may be two addresses, of IPv4 and of IPv6. Fastify
 * would open a server for the second one, without the limit of connections and with a certificate that is never renewed. So its
 * connections go to the first one's server here. If the second address can't be opened, the first one is enough.
 */
export async function openPort(
  fastify: FastifyInstance,
  given: PortSetting,
  addressesOf = lookUp,
): Promise<number> {
  const { host, port } = given;
  const { server } = fastify;
  try {
    const [first = host, second] = host === "localhost" ? await addressesOf(host) : [];
    await fastify.listen({ host: first, port });
    const opened = (server.address() as AddressInfo).port;
    if (second !== undefined) await listenToo(server, second, opened);
    return opened;
  } catch (error) {
    throw new ConfigError(portFault(error, given));
  }
}

async function listenToo(server: Server, host: string, port: number): Promise<void> {
  const other = createServer((socket) => server.emit("connection", socket));
  other.maxConnections = server.maxConnections;
  other.on("drop", () => server.emit("drop"));
  server.once("close", () => other.close());
  await new Promise<void>((resolve) => {
    other.once("error", () => resolve()).listen({ host, port }, resolve);
  });
}

async function lookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

export interface CloseOptions {
  readonly reportError: (error: unknown) => void;
  /** Called with the signal. The server closes when the promise resolves. */
  readonly beforeStop?: (signal: string) => Promise<void>;
  /** How long `beforeStop` may take. */
  readonly noticeMs?: number;
  /** SIGHUP calls this instead of stopping the server. */
  readonly onReload?: (() => void) | undefined;
}

/** Time to close connections to Redis and services after the last answer. */
const restMs = 3_000;

/**
 * Closes the server at a signal, with exit code 0, or at an unexpected error, with 1, after which a supervisor
 * starts it again. Calls in progress may finish, unless the signal comes a second time.
 */
export function closeAtEnd(
  fastify: FastifyInstance,
  { reportError, beforeStop = () => Promise.resolve(), noticeMs = 0, onReload }: CloseOptions,
): void {
  if (onReload !== undefined) process.on("SIGHUP", onReload);
  closeWithGrace(
    {
      skip: onReload === undefined ? [] : ["SIGHUP"],
      delay: noticeMs + longestDrainMs + restMs,
      logger: { error: reportError },
      // A second signal is no error: somebody doesn't want to wait.
      onSecondSignal: () => undefined,
    },
    async ({ signal, err }) => {
      if (err !== undefined) reportError(err);
      if (signal !== undefined) await beforeStop(signal);
      await fastify.close();
    },
  );
}

/** Returns why a port can't be opened, and what the administrator can do. */
export function portFault(error: unknown, { setting, host, port }: PortSetting): string {
  const name = setting === "port" ? "Port" : setting;
  const code = codeOf(error);
  switch (code) {
    case "EADDRINUSE": {
      const choice = setting === "port" ? ` with "port" or PORT=${port + 1}` : "";
      return `${name} ${port} is taken by another program. Stop it, or choose another${choice}.`;
    }
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return `${setting === "port" ? "host" : setting} "${host}" isn't a name or address of this machine.`;
    case "EACCES":
      return `This account may not open port ${port} on ${host}. Choose a port from 1024 on, or give INV the right (CAP_NET_BIND_SERVICE).`;
    default:
      return `${name} ${port} can't be opened: ${code ?? messageOf(error)}.`;
  }
}
