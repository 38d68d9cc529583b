/**
 * Reads parts from an .xlsx file, which is a zip archive. Its directory is checked before anything is unpacked: the
 * number of parts and their claimed sizes are limited. Unpacking stops at a part that grows larger than it claimed, and
 * only requested parts are unpacked. Paths have no meaning here: a part is found by its full name or not at all.
 */
import { FileFault } from "./read-limits";

export interface Zip {
  /** Names of the parts, as the file spells them. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** @throws FileFault if the part is missing or does not match the directory */
  text(name: string): Promise<string>;
}

const maxPackedBytes = 30_000_000;
const maxParts = 3_000;
/** Bytes of all parts together, unpacked. */
const maxUnpackedBytes = 100_000_000;
/** Compression shrinks cell text to about a fortieth. A part that shrinks to a five-hundredth is an attack. */
const maxRatio = 500;
const smallPart = 2_000_000;

const endMark = 0x0605_4b50;
const entryMark = 0x0201_4b50;
const partMark = 0x0403_4b50;
/** Bytes of the end record without its comment. */
const endSize = 22;
const maxCommentBytes = 65_535;
/** Signature of files with a password, and of .xls files from before Excel 2007. */
const compoundFile = 0xe011_cfd0;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly at: number;
}

export function readZip(bytes: Uint8Array<ArrayBuffer>): Zip {
  if (bytes.length > maxPackedBytes) throw tooLarge(`it has ${megabytes(bytes.length)}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 4 && view.getUint32(0, true) === compoundFile) {
    throw new FileFault(
      "The file has a password or is of Excel before 2007. Save it as .xlsx without a password.",
    );
  }
  const entries = entriesOf(view, bytes);
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  if (byName.size !== entries.length) throw damaged("it names a part twice");

  return {
    names: entries.map(({ name }) => name),
    has: (name) => byName.has(name.toLowerCase()),
    async text(name) {
      const entry = byName.get(name.toLowerCase());
      if (entry === undefined) throw damaged(`${name.slice(0, 60)} is missing`);
      return decode(await unpack(entry, packedBytes(entry, { view, bytes })), name);
    },
  };
}

function entriesOf(view: DataView, bytes: Uint8Array): Entry[] {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > maxParts) throw tooLarge(`it has ${count} parts`);
  const entries: Entry[] = [];
  let unpackedInAll = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== entryMark) {
      throw damaged("its list of parts is cut off");
    }
    const [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    if ((view.getUint16(at + 8, true) & 1) === 1) {
      throw new FileFault("The file has a password. Save it without.");
    }
    entries.push({
      name: name.replace(/^\//, ""),
      method: view.getUint16(at + 10, true),
      packed,
      unpacked,
      at: view.getUint32(at + 42, true),
    });
    unpackedInAll += unpacked;
    if (unpackedInAll > maxUnpackedBytes) {
      throw tooLarge(`unpacked it would have more than ${megabytes(maxUnpackedBytes)}`);
    }
    if (unpacked > smallPart && unpacked > packed * maxRatio) throw tooLarge("a part is packed too tightly");
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - endSize - maxCommentBytes);
  for (let at = view.byteLength - endSize; at >= first; at -= 1) {
    if (view.getUint32(at, true) === endMark) return at;
  }
  throw new FileFault("This is not an .xlsx file.");
}

function packedBytes(
  { at, packed }: Entry,
  { view, bytes }: { readonly view: DataView; readonly bytes: Uint8Array<ArrayBuffer> },
): Uint8Array<ArrayBuffer> {
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== partMark) throw damaged("a part is missing");
  const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (from + packed > view.byteLength) throw damaged("it is cut off");
  return bytes.subarray(from, from + packed);
}

async function unpack({ method, unpacked }: Entry, packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (method === 0) {
    if (packed.length !== unpacked) throw damaged("a part is not as long as it says");
    return packed;
  }
  if (method !== 8) throw damaged("it is packed in an unknown way");
  const whole = new Uint8Array(unpacked);
  let length = 0;
  try {
    const reader = new Blob([packed])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > unpacked) {
        void reader.cancel().catch(() => undefined);
        throw damaged("a part becomes more than it says");
      }
      whole.set(value, length);
      length += value.length;
    }
  } catch (error) {
    throw error instanceof FileFault ? error : damaged("a part cannot be unpacked");
  }
  if (length !== unpacked) throw damaged("a part becomes less than it says");
  return whole;
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw damaged(`${name.slice(0, 60)} is no text`);
  }
}

function damaged(why: string): FileFault {
  return new FileFault(`The file is damaged: ${why}.`);
}

function tooLarge(why: string): FileFault {
  return new FileFault(`The file is too large to be opened here: ${why}.`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
