/** Writes the notes of a sheet: their texts, and the boxes that Excel draws them in, which a file must contain. */
import type { FileSheet } from "./file-book";
import { cellText } from "./xml-text";
import { columnName } from "../../formula/columns";

type Notes = FileSheet["notes"];

export function commentsXml(notes: Notes): string {
  const comments = notes.map(
    ({ row, col, text }) =>
      `<comment ref="${columnName(col)}${row + 1}" authorId="0"><text><r><t xml:space="preserve">${cellText(text)}</t></r></text></comment>`,
  );
  return (
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<authors><author>INV</author></authors><commentList>${comments.join("")}</commentList></comments>`
  );
}

export function boxesXml(notes: Notes): string {
  const boxes = notes.map(
    ({ row, col }, index) =>
      `<v:shape id="_x0000_s${1025 + index}" type="#_x0000_t202" style="position:absolute;width:180pt;height:75pt;z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
      '<v:fill color2="#ffffe1"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/>' +
      `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${col}</x:Column></x:ClientData></v:shape>`,
  );
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    `${boxes.join("")}</xml>`
  );
}
