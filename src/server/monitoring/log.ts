/**
 * The server's log: JSON lines on standard output. A call's line contains the request's ID, environment,
 * operation, status and duration. A failure's line adds who refused, the code, and how far the call came.
 * Security: callers pass no header, body, address, token, secret or person. Lines of calls are written in
 * batches within a second, all others at once, so that no call waits for a disk or a pipe's reader. Lines that
 * can't be written (a full disk, a closed pipe) are lost, and counted. The server keeps running, and as soon as it
 * can write again, it logs how many.
 */
import { write, writeSync } from "node:fs";
import { pino } from "pino";
import type { AnsweredCall } from "./metrics";

export interface Log {
  call(call: AnsweredCall): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(error: unknown, message: string): void;
  /** How many lines couldn't be written since the start. */
  linesLost(): number;
}

export function createLog(level: "info" | "warn" | "silent", write?: (line: string) => void): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const callerOutput = { write: write ?? (() => undefined), flush: () => undefined, linesLost: () => 0 };
  const output = write === undefined ? createLogOutput() : callerOutput;
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
    linesLost: output.linesLost,
  };
}

export interface LogOutput {
  write(line: string): void;
  /** Writes the buffered lines, after any write in progress. */
  flush(): void;
  linesLost(): number;
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
  /** Lines lost since the start, and those of them that the log doesn't mention yet. */
  let lost = 0;
  let unreported = 0;
  let isWriting = false;
  let isTorn = false;
  let timer: NodeJS.Timeout | null = null;
  process.once("exit", writeLast);

  function later(action: () => void, waitMs: number): NodeJS.Timeout {
    return setTimeout(action, waitMs).unref();
  }

  function lose(text: string): void {
    const lines = text.split("\n").length - 1;
    lost += lines;
    unreported += lines;
  }

  /** Writes first how many lines were lost, as soon as that can be written, and then what was gathered meanwhile. */
  function flush(): void {
    if (isWriting) return;
    const reported = unreported;
    const text = reported === 0 ? gathered : `${isTorn ? "\n" : ""}${lostLine(reported)}`;
    if (text === "") return;
    if (reported === 0) gathered = "";
    isWriting = true;
    writeAll(Buffer.from(text), reported);
  }

  function writeAll(bytes: Buffer, reported: number): void {
    writeSome(bytes, (error, written) => {
      if (error?.code === "EAGAIN") {
        later(() => writeAll(bytes, reported), fullPipeWaitMs);
        return;
      }
      if (error === null && written < bytes.length) {
        isTorn = true;
        writeAll(bytes.subarray(written), reported);
        return;
      }
      isWriting = false;
      if (error === null) {
        isTorn = false;
        unreported -= reported;
      } else if (reported === 0) lose(bytes.toString());
      if (error === null && (reported > 0 || gathered.length >= enoughCharacters)) flush();
      else gatherOn();
    });
  }

  function gatherOn(): void {
    if (gathered === "" && unreported === 0) return;
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
      if (gathered.length + line.length > mostCharacters) {
        lose(line);
        return;
      }
      gathered += line;
      if (gathered.length >= enoughCharacters) flush();
      else gatherOn();
    },
    flush,
    linesLost: () => lost,
  };
}

function lostLine(lines: number): string {
  const msg = `${lines} lines of this log were lost, because they couldn't be written.`;
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), msg })}\n`;
}

function writeToOutput(bytes: Buffer, done: Written): void {
  write(standardOutput, bytes, 0, bytes.length, null, (error, written) => done(error, written));
}
