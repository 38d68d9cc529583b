/**
 * Decodes an export piece by piece, with \n as the line end. A byte order mark decides the encoding. Without
 * one, the encoding is the person's choice, or UTF-8. Invalid bytes end the import, because replaced
 * characters could be digits.
 */
import { constants, open } from "node:fs/promises";
import { InvError, messageOf } from "../../domain/errors";

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

const pieceBytes = 256 * 1024;

export interface TextSource {
  readonly path: string;
  /** Encoding of files without a byte order mark. Null means UTF-8. */
  readonly encoding: Encoding | null;
}

/**
 * @param read gets the number of bytes read so far
 * @throws InvError `bad-argument` if the file can't be read or has another encoding
 */
export async function* decodeFile(
  { path, encoding }: TextSource,
  read: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  // Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new InvError("bad-argument", `${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  });
  try {
    if (!(await file.stat()).isFile()) throw new InvError("bad-argument", `${path} is not a file.`);
    const buffer = Buffer.alloc(pieceBytes);
    let decoder: TextDecoder | null = null;
    let carriedOver = "";
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, position);
      const piece = buffer.subarray(0, bytesRead);
      decoder ??= new TextDecoder(encodingOf(piece) ?? encoding ?? "utf-8", { fatal: true });
      const text = carriedOver + textOf(decoder, piece, path);
      // The second half of a line end may be in the next piece.
      carriedOver = bytesRead > 0 && text.endsWith("\r") ? "\r" : "";
      yield text.slice(0, text.length - carriedOver.length).replace(/\r\n?/g, "\n");
      if (bytesRead === 0) return;
      position += bytesRead;
      read(position);
    }
  } finally {
    await file.close();
  }
}

/** An empty piece means the end of the file, where an incomplete character is an error. */
function textOf(decoder: TextDecoder, piece: Buffer, path: string): string {
  let text: string;
  try {
    text = decoder.decode(piece, { stream: piece.length > 0 });
  } catch (cause) {
    throw otherEncoding(path, `its bytes are not ${decoder.encoding}`, cause);
  }
  if (text.includes("\0")) throw otherEncoding(path, `it has zero bytes as ${decoder.encoding}`, undefined);
  return text;
}

function otherEncoding(path: string, why: string, cause: unknown): InvError {
  const advice = `Name its encoding with --encoding: ${encodings.join(", ")}.`;
  return new InvError("bad-argument", `${path} cannot be read as text: ${why}. ${advice}`, { cause });
}

function encodingOf(start: Buffer): Encoding | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8";
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : null;
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "you may not read it";
  return messageOf(error);
}
