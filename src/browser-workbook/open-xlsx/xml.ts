/**
 * Reads an XML part of the file from start to end, in slices, so that the page can respond to keys in between. It
 * refuses a part that declares a document type. There, entities are defined that can grow without limit or name other
 * files; no workbook has one. Prefixes are left out: `x:row` and `row` are the same.
 */
import { SaxesParser } from "saxes";
import { inSlices } from "../slices";
import { FileFault, isFileFault } from "./read-limits";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void;
  /** The whole text of an element that contains only text. Called before `close`. */
  text?(name: string, text: string): void;
  close?(name: string): void;
}

const pieceLength = 16_384;
const deepest = 100;

/** @param part its name, for the error message */
export async function readXml(part: string, xml: string, visitor: XmlVisitor): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let text: string[] = [];
  let depth = 0;
  parser.on("doctype", () => {
    throw new FileFault(`The file is refused: ${part} declares a document type, which no workbook does.`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    text = [];
    depth += 1;
    if (depth > deepest) throw new FileFault(`The file is damaged: ${part} is nested too deeply.`);
    visitor.open?.(localName(name), attributes);
  });
  parser.on("text", (piece) => void text.push(piece));
  parser.on("cdata", (piece) => void text.push(piece));
  parser.on("closetag", ({ name }) => {
    const closed = localName(name);
    depth -= 1;
    visitor.text?.(closed, text.join(""));
    text = [];
    visitor.close?.(closed);
  });
  try {
    await inSlices(piecesOf(xml), (piece) => void parser.write(piece));
    parser.close();
  } catch (error) {
    if (isFileFault(error)) throw error;
    throw new FileFault(`The file is damaged: ${part} cannot be read.`);
  }
}

function* piecesOf(xml: string): Iterable<string> {
  for (let at = 0; at < xml.length; at += pieceLength) yield xml.slice(at, at + pieceLength);
}

function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}

export function attribute(attributes: Attributes, name: string): string | undefined {
  const own = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (own !== undefined) return own;
  const prefixed = Object.keys(attributes).find((each) => localName(each) === name);
  return prefixed === undefined ? undefined : attributes[prefixed];
}

/** Excel writes characters that XML can't contain as `_x000D_`. */
export function unescapeText(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
