/**
 * What edits have touched or moved since a refresh began, so that nothing is compared with what stood there
 * before. The host is listened to once, for as long as the workbook is open. A sheet that is renamed stays what it
 * is, under its new name.
 */
import type { Area, Edit, SheetRename, Workbook } from "../port";

export interface Touched {
  /** An edit has touched something, or a sheet has another name. */
  readonly isAny: boolean;
  /** Cells may stand anywhere. */
  readonly isAnywhere: boolean;
  /** Whether any of these cells, named as when it began, was touched. */
  hasPartOf(area: Area): boolean;
  /** What a sheet is called now that had this name when it began. */
  sheetNow(name: string): string;
}

/** Returns what begins to watch anew; one watch at a time. */
export function createEditRecord(workbook: Pick<Workbook, "onEdit">): () => Touched {
  let areas: Area[] = [];
  let renames: SheetRename[] = [];
  let isAnywhere = false;

  workbook.onEdit((edit: Edit) => {
    if (edit === null) isAnywhere = true;
    else if ("from" in edit) {
      renames.push(edit);
      areas = areas.map((area) => (area.sheet === edit.from ? { ...area, sheet: edit.to } : area));
    } else areas.push(...edit);
  });

  /** Of names as they are now. */
  const overlaps = (area: Area): boolean => areas.some((touched) => haveCommon(touched, area));
  const sheetNow = (name: string): string =>
    renames.reduce((now, { from, to }) => (now === from ? to : now), name);

  return () => {
    areas = [];
    renames = [];
    isAnywhere = false;
    return {
      get isAny() {
        return isAnywhere || areas.length > 0 || renames.length > 0;
      },
      get isAnywhere() {
        return isAnywhere;
      },
      hasPartOf: (area) => isAnywhere || overlaps({ ...area, sheet: sheetNow(area.sheet) }),
      sheetNow,
    };
  };
}

function haveCommon(one: Area, other: Area): boolean {
  return (
    one.sheet === other.sheet &&
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.col < other.col + other.cols &&
    other.col < one.col + one.cols
  );
}
