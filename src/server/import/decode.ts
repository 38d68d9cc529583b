/**
 * The text of an export, piece by piece, with every line end as \n. A byte order mark says its encoding; without one it is UTF-8 unless the
 * person names another. Bytes that are none of that encoding end the reading: replaced characters could be digits.
 */
import { constants, open } from "node:fs/promises";
import { InvError, messageOf } from "../../domain/errors";

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

/** Bytes at a time: small beside the memory an import may take. */
const pieceBytes = 256 * 1024;

export interface TextSource {
  readonly path: string;
  /** Null: what the byte order mark says, else UTF-8. */
  readonly encoding: Encoding | null;
}

/**
 * @param read hears how many bytes were read so far
 * @throws InvError `bad-argument` where the file cannot be read or is of another encoding
 */
export async function* decodeFile(
  { path, encoding }: TextSource,
  read: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  // A pipe that nobody writes to would be waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new InvError("bad-argument", `${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  });
  try {
    if (!(await file.stat()).isFile()) throw new InvError("bad-argument", `${path} is not a file.`);
    const buffer = Buffer.alloc(pieceBytes);
    let decoder: TextDecoder | null = null;
    let held = "";
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, position);
      const piece = buffer.subarray(0, bytesRead);
      decoder ??= new TextDecoder(encodingOf(piece) ?? encoding ?? "utf-8", { fatal: true });
      const text = held + textOf(decoder, piece, path);
      // The second half of a line end may come with the next piece.
      held = bytesRead > 0 && text.endsWith("\r") ? "\r" : "";
      yield text.slice(0, text.length - held.length).replace(/\r\n?/g, "\n");
      if (bytesRead === 0) return;
      position += bytesRead;
      read(position);
    }
  } finally {
    await file.close();
  }
}

/** An empty piece is the end: what is left over then was cut off. */
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
