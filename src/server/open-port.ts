/**
 * Opens a server's port, and closes it when the process gets a stop signal. Both the add-in's server and the
 * stand-alone service use it.
 */
import type { FastifyInstance } from "fastify";

export interface PortOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export interface StopOptions {
  /** Called with the signal. The server stops when the promise resolves. */
  readonly beforeStop?: (signal: string) => Promise<void>;
}

/** Resolves with the port. Rejects if it can't be opened (see `isPortTaken`). */
export async function openPort(
  fastify: FastifyInstance,
  { host, port, beforeStop = () => Promise.resolve() }: PortOptions & StopOptions,
): Promise<number> {
  await fastify.listen({ host, port });
  const stop = async (signal: string) => {
    await beforeStop(signal);
    await fastify.close();
    process.exit(0);
  };
  // SIGHUP means that a terminal closes or a supervisor restarts the server. Calls in progress may finish.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void stop(signal));
  }
  const address = fastify.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

export function isPortTaken(error: unknown): boolean {
  return codeOf(error) === "EADDRINUSE";
}

/**
 * Returns a sentence about an error of `openPort` that the administrator can fix, or null for any other
 * error.
 */
export function addressFault(error: unknown, { host, port }: PortOptions): string | null {
  switch (codeOf(error)) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return `host "${host}" isn't a name or address of this machine.`;
    case "EACCES":
      return `This account may not open port ${port} on ${host}. Choose a port from 1024 on.`;
    default:
      return null;
  }
}

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error) as object, "code");
}

/**
 * Announces a stop. After the signal, `/readyz` answers 503, but the server still answers other requests for
 * some seconds. So by the time the port closes, a load balancer no longer sends requests here.
 */
export interface StopNotice {
  readonly isGiven: boolean;
  give(): Promise<void>;
}

export interface StopNoticeOptions {
  readonly clock: { setTimeout(callback: () => void, waitMs: number): unknown };
  readonly seconds: number;
}

export function createStopNotice({ clock, seconds }: StopNoticeOptions): StopNotice {
  let isGiven = false;
  return {
    get isGiven() {
      return isGiven;
    },
    give() {
      isGiven = true;
      return new Promise((resolve) => clock.setTimeout(resolve, seconds * 1_000));
    },
  };
}
