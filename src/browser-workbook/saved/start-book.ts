/**
 * Fills a newcomer's workbook from INV's own templates: planning, item history, functions, and a sheet to try
 * formulas in. A sheet that can't be built is left out and reported, so that the others are still built.
 */
import { messageOf } from "../../domain/errors";
import type { Template } from "../../domain/templates/template";
import type { Area, Workbook } from "../../workbook/port";
import { buildTemplate } from "../../workbook/templates/build";
import { builtInTemplate, functionsTemplate } from "../../workbook/templates/built-in";
import { trySheet } from "../../workbook/templates/try-sheet";
import { demoRows, demoTries, readDemoData } from "../../workbook/templates/demo-data";
import { areaAt, noRows, type TemplateRows } from "../../workbook/templates/fill";

/** How long the other sheets wait for the first one's values if the service is slow or unavailable. */
const firstValuesWithinMs = 10_000;

/**
 * Builds the planning sheet, shows it with its values, and then builds the others. Returns the problems.
 * @param demoData the answer of `/demo-data`; rejects if the server has none
 */
export async function buildStartBook(
  workbook: Workbook,
  demoData: Promise<unknown>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const data = () => demoData.then(readDemoData);
  const rows = () => data().then(demoRows);
  const build = async (
    port: Workbook,
    template: Template,
    readRows: () => Promise<TemplateRows>,
  ): Promise<string | null> => {
    try {
      return await buildTemplate(port, { template, rows: await readRows(), columns: new Set() });
    } catch (error) {
      problems.push(`The ${template.sheet.name} sheet could not be built: ${messageOf(error)}`);
      return null;
    }
  };
  const planning = await build(workbook, builtInTemplate("planning"), rows);
  if (planning !== null) {
    await workbook.select({ sheet: planning, row: 0, col: 0, rows: 1, cols: 1 });
    const limit = new Promise((resolve) => setTimeout(resolve, firstValuesWithinMs));
    await Promise.race([workbook.calculated(), limit]);
  }
  // A template selects a cell of its sheet, which would bring that sheet into view.
  const select = () => Promise.resolve();
  const outOfView: Workbook = {
    ...workbook,
    select,
    step: (work, options) => workbook.step((own) => work({ ...own, select }), options),
  };
  await build(outOfView, builtInTemplate("history"), rows);
  await build(outOfView, functionsTemplate(), () => Promise.resolve(noRows));
  await build(outOfView, trySheet(), () => data().then(demoTries));
  return problems;
}

/**
 * Finds the result cell of a function (`QTY`, in any letter case) for `/?show=QTY`; null if the function is unknown
 * or its sheet is gone. Each block of the template starts with a function's name and ends with its result.
 */
export async function resultOf(workbook: Workbook, name: string): Promise<Area | null> {
  const heading = `INV.${name.toUpperCase()}`;
  const template = functionsTemplate();
  const sheet = template.sheet.name;
  const hasSheet = (await workbook.sheets()).some((each) => each.name === sheet);
  const block = hasSheet ? template.blocks?.find(({ rows }) => rows[0]?.[0] === heading) : undefined;
  if (block === undefined) return null;
  const { row, col } = areaAt(block.at);
  return { sheet, row, col: col + (block.rows[0]?.length ?? 1) - 1, rows: 1, cols: 1 };
}
