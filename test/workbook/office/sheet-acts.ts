/** What somebody does to the sheets while INV makes one of its own beside "Plan". */
import { beforeTrips, type NodeExcel } from "../../excel/excel-in-node";
import { enter, type HostSheet, newSheet } from "../../excel/sheet";

export type Act = (excel: NodeExcel, theirs: HostSheet) => void;

/** INV's new sheets, under any name. */
const ofInv: (...given: Parameters<Act>) => HostSheet[] = (excel, theirs) =>
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

/** Lets somebody act once, before INV's round trip `at`. They may have a sheet of the given name, which INV must leave as it is. */
export function actBeforeTrip(excel: NodeExcel, name: string, { act, at }: { act: Act; at: number }) {
  const theirs = newSheet(name, "{id of theirs}");
  enter(theirs, 0, 0, "a colleague's");
  let trips = 0;
  let isTheirs = false;
  beforeTrips(excel, () => {
    trips += 1;
    if (trips !== at) return;
    act(excel, theirs);
    isTheirs = excel.sheets.includes(theirs);
  });
  return {
    hasActed: () => trips >= at,
    /** Checks their sheet, and returns INV's. */
    sheetsOfInv(): readonly HostSheet[] {
      expect(excel.sheets.includes(theirs)).toBe(isTheirs);
      expect([...theirs.cells].map(([row, line]) => [row, [...line]])).toEqual([[0, [[0, "a colleague's"]]]]);
      return ofInv(excel, theirs);
    },
  };
}
