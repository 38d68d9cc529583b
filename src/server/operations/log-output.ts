/**
 * Writes the log to standard output, many lines at a time, so that no call waits for a disk or a pipe's
 * reader. Lines that can't be written (a full disk, a closed pipe) are lost. The server keeps running, and
 * logs again as soon as it can.
 */
import { write, writeSync } from "node:fs";

export interface LogOutput {
  write(line: string): void;
  /** Writes the buffered lines, after any write in progress. */
  flush(): void;
}

export interface LogOutputOptions {
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
