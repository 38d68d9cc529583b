/**
 * Defined names in Excel: the workbook's own and each sheet's, which are collections of their own
 * (documented). Read in two round trips, however many sheets there are; made and deleted some hundred at a time.
 */
import type { OfficeSession } from "./session";
import type { DefinedName, HiddenName } from "../port";

/** A name's formula came with ExcelApi 1.7. */
export async function officeNames(session: OfficeSession): Promise<readonly DefinedName[]> {
  if (!session.supports("1.7")) return [];
  return session.run(async (context) => {
    const { names, worksheets } = context.workbook;
    names.load("items/name,items/formula");
    worksheets.load("items/name");
    await context.sync();
    const ofSheets = worksheets.items.map((sheet) => ({
      sheet: sheet.name,
      names: sheet.names.load("items/name,items/formula"),
    }));
    await context.sync();
    return [{ sheet: null, names }, ...ofSheets].flatMap(({ sheet, names: { items } }) =>
      items.map(({ name, formula }) => ({ name, sheet, formula: formulaOf(formula) })),
    );
  });
}

/** In the formula's English spelling, whatever the settings (documented; `addFormulaLocal` is the other). */
export async function addOfficeName(session: OfficeSession, name: string, formula: string): Promise<void> {
  await session.run(async (context) => {
    context.workbook.names.add(name, formula);
    // Sent at once, so that a refusal is of this name.
    await context.sync();
  });
}

const namesPerTrip = 500;

export async function addHiddenOfficeNames(
  session: OfficeSession,
  names: readonly HiddenName[],
): Promise<void> {
  await session.run(async (context) => {
    const { workbook } = context;
    for (let from = 0; from < names.length; from += namesPerTrip) {
      for (const { name, cell } of names.slice(from, from + namesPerTrip)) {
        const range = workbook.worksheets.getItem(cell.sheet).getRangeByIndexes(cell.row, cell.col, 1, 1);
        workbook.names.add(name, range).visible = false;
      }
      await context.sync();
    }
  });
}

export async function deleteOfficeNames(session: OfficeSession, names: readonly string[]): Promise<void> {
  await session.run(async (context) => {
    for (let from = 0; from < names.length; from += namesPerTrip) {
      const part = names.slice(from, from + namesPerTrip);
      const found = part.map((name) => context.workbook.names.getItemOrNullObject(name).load("name"));
      await context.sync();
      for (const each of found) if (!each.isNullObject) each.delete();
      await context.sync();
    }
  });
}

/** Anything but text where Excel has no formula for it. */
function formulaOf(formula: unknown): string {
  return typeof formula === "string" ? formula : "";
}
