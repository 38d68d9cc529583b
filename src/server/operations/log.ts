/**
 * The server's log: JSON lines on standard output. A call's line contains the request's ID, environment,
 * operation, status and duration. A failure's line adds who refused, the code, and how far the call came.
 * Security: callers pass no header, body, address, token, secret or person. Lines of calls are written in
 * batches within a second, all others at once, so that no call waits for a disk or a pipe's reader. Lines that
 * can't be written (a full disk, a closed pipe) are lost. The server keeps running, and logs again as soon as it
 * can.
 */
import { write, writeSync } from "node:fs";
import { pino } from "pino";
import type { AnsweredCall } from "./metrics";

export interface Log {
  call(call: AnsweredCall): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(error: unknown, message: string): void;
}

export function createLog(level: "info" | "warn" | "silent", write?: (line: string) => void): Log {
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

export interface LogOutput {
  write(line: string): void;
  /** Writes the buffered lines, after any write in progress. */
  flush(): void;
}

interface LogOutputOptions {
  readonly gatherMs?: number;
  /** Writes some of the bytes and reports how many, as `fs.write` does. */
  readonly writeSome?: (bytes: Buffer, done: Written) => void;
}

type Written = (error: NodeJS.ErrnoException | null, written: number) => void;

const standardOutput = 1;
/** Lines are written at once when they have this many characters together. */
const enoughCharacters = 8_192;
/** Beyond this, new lines are lost, because nothing reads the output. */
const mostCharacters = 1_000_000;
const fullPipeWaitMs = 50;

export function createLogOutput(options: LogOutputOptions = {}): LogOutput {
  const { gatherMs = 1_000, writeSome = writeToOutput } = options;
  let gathered = "";
  let isWriting = false;
  let timer: NodeJS.Timeout | null = null;
  process.once("exit", writeLast);

  function later(action: () => void, waitMs: number): NodeJS.Timeout {
    return setTimeout(action, waitMs).unref();
  }

  function flush(): void {
    if (isWriting || gathered === "") return;
    const bytes = Buffer.from(gathered);
    gathered = "";
    isWriting = true;
    writeAll(bytes);
  }

  function writeAll(bytes: Buffer): void {
    writeSome(bytes, (error, written) => {
      if (error?.code === "EAGAIN") {
        later(() => writeAll(bytes), fullPipeWaitMs);
      } else if (error === null && written < bytes.length) {
        writeAll(bytes.subarray(written));
      } else {
        isWriting = false;
        if (gathered.length >= enoughCharacters) flush();
        else gatherOn();
      }
    });
  }

  function gatherOn(): void {
    if (gathered === "") return;
    timer ??= later(() => {
      timer = null;
      flush();
    }, gatherMs);
  }

  function writeLast(): void {
    try {
      if (gathered !== "") writeSync(standardOutput, gathered);
    } catch {
      // Nothing reads the output any more.
    }
  }

  return {
    write(line) {
      if (gathered.length + line.length > mostCharacters) return;
      gathered += line;
      if (gathered.length >= enoughCharacters) flush();
      else gatherOn();
    },
    flush,
  };
}

function writeToOutput(bytes: Buffer, done: Written): void {
  write(standardOutput, bytes, 0, bytes.length, null, (error, written) => done(error, written));
}
