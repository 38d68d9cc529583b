/**
 * Opens a server's port, and closes it when the process ends: after a stop signal or an unexpected error. Both
 * the add-in's server and the stand-alone service use it.
 */
import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import { longestDrainMs } from "./edge/drain";
import { codeOf } from "./system-error";

export interface PortOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** Resolves with the port. Rejects if it can't be opened (see `isPortTaken`). */
export async function openPort(fastify: FastifyInstance, { host, port }: PortOptions): Promise<number> {
  await fastify.listen({ host, port });
  const address = fastify.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

export interface CloseOptions {
  readonly reportError: (error: unknown) => void;
  /** Called with the signal. The server closes when the promise resolves. */
  readonly beforeStop?: (signal: string) => Promise<void>;
  /** How long `beforeStop` may take. */
  readonly noticeMs?: number;
}

/** Time to close connections to Redis and services after the last answer. */
const restMs = 3_000;

/**
 * Closes the server at a signal, with exit code 0, or at an unexpected error, with 1, after which a supervisor
 * starts it again. Calls in progress may finish, unless the signal comes a second time.
 */
export function closeAtEnd(
  fastify: FastifyInstance,
  { reportError, beforeStop = () => Promise.resolve(), noticeMs = 0 }: CloseOptions,
): void {
  closeWithGrace(
    {
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
