/** What somebody does to the sheets while INV makes one of its own beside "Plan". */
import type { NodeExcel } from "../../excel/excel-in-node";
import type { HostSheet } from "../../excel/sheet";

export type Act = (excel: NodeExcel, theirs: HostSheet) => void;

/** INV's new sheets, under any name. */
export const ofInv: (...given: Parameters<Act>) => HostSheet[] = (excel, theirs) =>
  excel.sheets.filter((sheet) => sheet !== theirs && sheet.name !== "Plan");

/** @param name the name that INV gives its sheet, and somebody theirs */
export function actsOn(name: string): Readonly<Record<"add" | "rename" | "renameAndAdd" | "remove", Act>> {
  const add: Act = (excel, theirs) => {
    if (!excel.sheets.some((sheet) => sheet.name === name)) excel.sheets.push(theirs);
  };
  const rename: Act = (excel, theirs) => {
    for (const sheet of ofInv(excel, theirs)) sheet.name = "Week 47";
  };
  return {
    add,
    rename,
    renameAndAdd(excel, theirs) {
      rename(excel, theirs);
      add(excel, theirs);
    },
    remove(excel, theirs) {
      for (const sheet of ofInv(excel, theirs)) excel.sheets.splice(excel.sheets.indexOf(sheet), 1);
    },
  };
}
