/**
 * The server's log: one line of JSON each, on standard output. A call's line holds the request's id,
 * environment, operation, status and duration, and of a failure who refused, its code, and how far the call came. No header, body, address, token, secret or person ever enters it: it is given none.
 * Lines of calls are written a second later at most, many at once, so that no call waits for the disk or the reader
 * of a pipe; all others at once.
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

/** `write` is given each line; standard output unless told. */
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
    // The name and place of an error, not its properties: those may hold a request.
    error(error, message) {
      const stack = error instanceof Error ? error.stack : String(error);
      logger.error({ stack }, message);
      output.flush();
    },
  };
}
