/**
 * Reads the texts that cells share. Text in several styles becomes one plain text; phonetic readings of characters
 * are left out.
 */
import { readXml, unescapeText } from "./xml";

export async function readStrings(part: string, xml: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let pieces: string[] = [];
  let isReading = false;
  await readXml(part, xml, {
    open(element) {
      if (element === "si") pieces = [];
      if (element === "rPh") isReading = true;
    },
    text(element, text) {
      if (element === "t" && !isReading) pieces.push(text);
    },
    close(element) {
      if (element === "rPh") isReading = false;
      if (element === "si") strings.push(unescapeText(pieces.join("")));
    },
  });
  return strings;
}
