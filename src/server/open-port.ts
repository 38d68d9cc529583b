/**
 * Opens the port of a server and closes it again when the process is told to stop: the same for the add-in's
 * server and for the service alone. What is served, and what is said about it, is theirs.
 */
import type { FastifyInstance } from "fastify";

export interface PortOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

export interface StopOptions {
  /** Awaited when the process is told to stop, before the port closes. */
  readonly beforeStop?: () => Promise<void>;
}

/** Resolves with the port that was opened; rejects when it cannot be had (see `isPortTaken`). */
export async function openPort(
  fastify: FastifyInstance,
  { host, port, beforeStop = () => Promise.resolve() }: PortOptions & StopOptions,
): Promise<number> {
  await fastify.listen({ host, port });
  const stop = async () => {
    await beforeStop();
    await fastify.close();
    process.exit(0);
  };
  // SIGHUP is a terminal that closes, or a supervisor that asks for a new start: calls under way end all the same.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void stop());
  }
  const address = fastify.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** Whether an error of `openPort` means that another program has the port. */
export function isPortTaken(error: unknown): boolean {
  return codeOf(error) === "EADDRINUSE";
}

/** A sentence for an error of `openPort` that the administrator can mend; null for any other. */
export function addressFault(error: unknown, { host, port }: PortOptions): string | null {
  switch (codeOf(error)) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return `HOST is "${host}", which is no name or address of this machine.`;
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
 * A stop that is seen to come: from the signal on `/readyz` says 503, while for a moment everything is still answered, on
 * new connections too. A load balancer leads nobody here any more by the time the port closes.
 */
export interface StopNotice {
  readonly isGiven: boolean;
  /** Resolves when the port may be closed. */
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
