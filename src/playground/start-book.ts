/**
 * Fills the workbook a newcomer sees from INV's own templates: planning, item history, cases, functions.
 * One that cannot be built is left out and named, so that the others stand.
 */
import type { Area, Workbook } from "../workbook/port";
import { buildTemplate } from "../workbook/templates/build";
import { builtInTemplate } from "../workbook/templates/built-in";
import { demoRows, readDemoData } from "../workbook/templates/demo-data";
import { noRows, placeOf, type TemplateRows } from "../workbook/templates/fill";

export interface StartBook {
  /** What could not be built, in words. */
  readonly problems: readonly string[];
}

/**
 * Builds all sheets, then shows the first of them.
 * @param demoData the answer of `/demo-data`; rejects where there is none
 */
export async function buildStartBook(workbook: Workbook, demoData: Promise<unknown>): Promise<StartBook> {
  const problems: string[] = [];
  await workbook.step(async () => {
    const rows = () => demoData.then((json) => demoRows(readDemoData(json)));
    const build = async (id: string, given: () => Promise<TemplateRows>): Promise<string | null> => {
      const template = builtInTemplate(id);
      try {
        return await buildTemplate(workbook, { template, rows: await given(), columns: new Set() });
      } catch (error) {
        const reason = error instanceof Error ? error.message : "unknown error";
        problems.push(`The ${template.sheet.name} sheet could not be built: ${reason}`);
        return null;
      }
    };
    const planning = await build("planning", rows);
    await build("history", rows);
    await build("cases", () => Promise.resolve(noRows));
    await build("functions", () => Promise.resolve(noRows));
    if (planning !== null) await workbook.select({ sheet: planning, row: 0, col: 0, rows: 1, cols: 1 });
  });
  return { problems };
}

/**
 * Where a function (`QTY`, in any letter case) shows its result, for `/?show=QTY`; null for an unknown one, and
 * where its sheet is gone. The template has one block for each function: its name first, its result last.
 */
export async function resultOf(workbook: Workbook, name: string): Promise<Area | null> {
  const wanted = `INV.${name.toUpperCase()}`;
  const template = builtInTemplate("functions");
  const sheet = template.sheet.name;
  const isThere = (await workbook.sheets()).some((each) => each.name === sheet);
  const block = isThere ? template.blocks?.find(({ rows }) => rows[0]?.[0] === wanted) : undefined;
  if (block === undefined) return null;
  const { row, col } = placeOf(block.at);
  return { sheet, row, col: col + (block.rows[0]?.length ?? 1) - 1, rows: 1, cols: 1 };
}
