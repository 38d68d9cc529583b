/**
 * Records what edits have touched or moved since a refresh started, so that these cells aren't compared with their earlier
 * contents. A renamed sheet keeps its record under the new name.
 */
import type { Area, Edit, SheetRename, Workbook } from "../port";

export interface EditedAreas {
  /** Whether an edit has touched something, or a sheet was renamed. */
  readonly isAny: boolean;
  /** Whether cells may have moved anywhere. */
  readonly isAnywhere: boolean;
  /** Returns whether an edit touched any of these cells. The area has the sheet's original name. */
  hasPartOf(area: Area): boolean;
  /** Returns the current name of a sheet that had this name at the start. */
  sheetNow(name: string): string;
}

/** Returns a function that starts a new record and ends the previous one. */
export function createEditRecorder(workbook: Pick<Workbook, "onEdit">): () => EditedAreas {
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
