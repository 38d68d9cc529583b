/**
 * The server's log: JSON lines on standard output. A call's line contains the request's ID, environment,
 * operation, status and duration. A failure's line adds who refused, the code, and how far the call came.
 * Security: callers pass no header, body, address, token, secret or person. Lines of calls are written in
 * batches within a second, all others at once.
 */
import { pino } from "pino";
import { createLogOutput } from "./log-output";
import type { AnsweredCall } from "./metrics";

export interface Log {
  call(call: AnsweredCall): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(error: unknown, message: string): void;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const output = write === undefined ? createLogOutput() : { write, flush: () => undefined };
  const logger = pino(options, output);
  return {
    call({ durationMs, failure, ...call }) {
      logger.info({ ...call, durationMs: Math.round(durationMs), ...failure }, "call");
    },
    info(fields, message) {
      logger.info(fields, message);
      output.flush();
    },
    warn(fields, message) {
      logger.warn(fields, message);
      output.flush();
    },
    // Log only the stack, because an error's properties may contain a request.
    error(error, message) {
      const stack = error instanceof Error ? error.stack : String(error);
      logger.error({ stack }, message);
      output.flush();
    },
  };
}
