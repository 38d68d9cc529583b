/** Reads the workbook part: its sheets in order, its defined names, and its date system. */
import { attribute, isTrue, readXml } from "./xml";

export interface ListedSheet {
  readonly name: string;
  readonly relation: string;
  readonly isHidden: boolean;
}

interface ListedName {
  readonly name: string;
  /** Without `=`. */
  readonly formula: string;
  /** Index of its sheet in the list; null if its scope is the whole workbook. */
  readonly sheet: number | null;
  readonly isHidden: boolean;
}

export interface BookPart {
  readonly sheets: readonly ListedSheet[];
  readonly names: readonly ListedName[];
  readonly is1904: boolean;
  readonly shownSheet: number;
}

export async function readBookPart(part: string, xml: string): Promise<BookPart> {
  const sheets: ListedSheet[] = [];
  const names: ListedName[] = [];
  let is1904 = false;
  let shownSheet = 0;
  let named: Omit<ListedName, "formula"> | null = null;
  await readXml(part, xml, {
    open(element, attributes) {
      if (element === "workbookPr") is1904 = isTrue(attribute(attributes, "date1904"));
      if (element === "workbookView") shownSheet = Number(attribute(attributes, "activeTab") ?? 0);
      if (element === "sheet") {
        sheets.push({
          name: attribute(attributes, "name") ?? "",
          relation: attribute(attributes, "id") ?? "",
          isHidden: (attribute(attributes, "state") ?? "visible") !== "visible",
        });
      }
      if (element === "definedName") {
        const sheet = attribute(attributes, "localSheetId");
        named = {
          name: attribute(attributes, "name") ?? "",
          sheet: sheet === undefined ? null : Number(sheet),
          isHidden: isTrue(attribute(attributes, "hidden")),
        };
      }
    },
    text(element, text) {
      if (element === "definedName" && named !== null) names.push({ ...named, formula: text.trim() });
    },
  });
  return { sheets, names, is1904, shownSheet };
}
