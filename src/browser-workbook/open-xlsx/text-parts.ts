/** Reads the parts that contain texts: the texts that cells share, and the notes of cells. */
import { parseCellAddress } from "./parse-address";
import { attribute, readXml, unescapeText } from "./xml";

export interface FileNote {
  readonly row: number;
  readonly col: number;
  readonly text: string;
}

const maxNotes = 20_000;
const maxNoteLength = 32_767;

/** Text in several styles becomes one plain text; phonetic readings of characters are left out. */
export async function readStrings(part: string, xml: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let pieces: string[] = [];
  let isPhonetic = false;
  await readXml(part, xml, {
    open(element) {
      if (element === "si") pieces = [];
      if (element === "rPh") isPhonetic = true;
    },
    text(element, text) {
      if (element === "t" && !isPhonetic) pieces.push(text);
    },
    close(element) {
      if (element === "rPh") isPhonetic = false;
      if (element === "si") strings.push(unescapeText(pieces.join("")));
    },
  });
  return strings;
}

export async function readNotes(part: string, xml: string): Promise<readonly FileNote[]> {
  const notes: FileNote[] = [];
  let at: { row: number; col: number } | null = null;
  let pieces: string[] = [];
  await readXml(part, xml, {
    open(element, attributes) {
      if (element !== "comment") return;
      at = parseCellAddress(attribute(attributes, "ref") ?? "");
      pieces = [];
    },
    text(element, text) {
      if (element === "t") pieces.push(text);
    },
    close(element) {
      if (element !== "comment" || at === null || notes.length >= maxNotes) return;
      notes.push({ ...at, text: unescapeText(pieces.join("")).slice(0, maxNoteLength) });
    },
  });
  return notes;
}
