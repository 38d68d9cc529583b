/** Builds zip files by hand, so that a test can make one whose directory contradicts its content. */
import { deflateRawSync } from "node:zlib";

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** The size that the directory claims. Default: the real size. */
  readonly claims?: number;
  readonly method?: number;
  readonly flags?: number;
}

export function zipOf(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, claims, method = 8, flags = 0 } of parts) {
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const named = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(bytes.length, 22);
    local.writeUInt16LE(named.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(claims ?? bytes.length, 24);
    entry.writeUInt16LE(named.length, 28);
    entry.writeUInt32LE(at, 42);
    bodies.push(local, named, packed);
    directory.push(entry, named);
    at += 30 + named.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...bodies, ...directory, end]));
}

const relationTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export function relations(all: Readonly<Record<string, readonly [kind: string, target: string]>>): string {
  const lines = Object.entries(all).map(
    ([id, [kind, target]]) =>
      `<Relationship Id="${id}" Type="${relationTypes}/${kind}" Target="${target}"${/^[a-z]+:/.test(target) ? ' TargetMode="External"' : ""}/>`,
  );
  return `<Relationships>${lines.join("")}</Relationships>`;
}

/** The parts of a workbook with one sheet. Other parts replace them or are added. */
export function bookParts(sheet: string, others: readonly Part[] = []): Part[] {
  const parts: Part[] = [
    { name: "_rels/.rels", content: relations({ r1: ["officeDocument", "xl/workbook.xml"] }) },
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns:r="${relationTypes}"><sheets><sheet name="Plan" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations({ r1: ["worksheet", "worksheets/sheet1.xml"] }),
    },
    { name: "xl/worksheets/sheet1.xml", content: `<worksheet>${sheet}</worksheet>` },
  ];
  const replaced = new Set(others.map(({ name }) => name));
  return [...parts.filter(({ name }) => !replaced.has(name)), ...others];
}

export function bookOf(sheet: string, others: readonly Part[] = []): Uint8Array<ArrayBuffer> {
  return zipOf(bookParts(sheet, others));
}
