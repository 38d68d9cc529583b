/** Reads the plain text of cell notes. */
import { parseCellAddress } from "./parse-address";
import { attribute, readXml, unescapeText } from "./xml";

export interface FileNote {
  readonly row: number;
  readonly col: number;
  readonly text: string;
}

const mostNotes = 20_000;
const longestNote = 32_767;

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
      if (element !== "comment" || at === null || notes.length >= mostNotes) return;
      notes.push({ ...at, text: unescapeText(pieces.join("")).slice(0, longestNote) });
    },
  });
  return notes;
}
