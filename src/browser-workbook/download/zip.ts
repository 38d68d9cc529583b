/**
 * Writes a zip archive with the browser's own compressor, which works beside the page's thread. Entries are added one after
 * another.
 */

export interface Zip {
  /** Compresses the texts as one file of the archive. */
  add(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void>;
  blob(type: string): Blob;
}

const signature = { entry: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 };
const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;
const deflated = 8;
/** 1 January 1980, the format's first day: the archive tells nothing about when it was made. */
const date = 0x21;

export function createZip(): Zip {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, directorySize, count] = [0, 0, 0];

  return {
    async add(name, texts) {
      const path = new TextEncoder().encode(name);
      const { data, crc, size } = await compressed(texts);
      const common = [version, 2, flags, 2, deflated, 2, 0, 2, date, 2, crc, 4, data.size, 4, size, 4];
      const entry = bytes([signature.entry, 4, ...common, path.length, 2, 0, 2]);
      const listed = bytes([
        ...[signature.directory, 4, version, 2, ...common, path.length, 2],
        ...[0, 2, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4],
      ]);
      parts.push(entry, path, data);
      directory.push(listed, path);
      offset += entry.length + path.length + data.size;
      directorySize += listed.length + path.length;
      count += 1;
    },
    blob(type) {
      const end = bytes([
        ...[signature.end, 4, 0, 2, 0, 2, count, 2, count, 2, directorySize, 4, offset, 4, 0, 2],
      ]);
      return new Blob([...parts, ...directory, end], { type });
    },
  };
}

async function compressed(texts: Iterable<string> | AsyncIterable<string>) {
  const stream = new CompressionStream("deflate-raw");
  const written = new Response(stream.readable).blob();
  const writer = stream.writable.getWriter();
  const encoder = new TextEncoder();
  let [crc, size] = [-1, 0];
  try {
    for await (const text of texts) {
      const data = encoder.encode(text);
      crc = addToCrc(crc, data);
      size += data.length;
      await writer.write(data);
    }
    await writer.close();
  } catch (error) {
    // Ends the stream, so that nothing waits for the rest.
    await Promise.allSettled([writer.abort(error), written]);
    throw error;
  }
  return { data: await written, crc: ~crc >>> 0, size };
}

/** Pairs of a number and its size in bytes. */
function bytes(pairs: readonly number[]): Uint8Array<ArrayBuffer> {
  const result: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const value = pairs[at] ?? 0;
    for (let byte = 0; byte < (pairs[at + 1] ?? 0); byte += 1) result.push((value >>> (8 * byte)) & 0xff);
  }
  return new Uint8Array(result);
}

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function addToCrc(crc: number, data: Uint8Array): number {
  let value = crc;
  for (const byte of data) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return value;
}
