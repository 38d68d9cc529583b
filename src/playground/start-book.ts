/**
 * Fills the workbook a newcomer sees: planning, events, cases, functions, and an empty sheet to try in.
 * Each sheet is built over the workbook port; one that cannot be built is left out and named, so that
 * the others stand.
 */
import { readDemoData } from "../workbook/samples/demo-data";
import type { Workbook } from "../workbook/port";
import { buildCasesSheet } from "../workbook/samples/cases";
import { buildEventsSheet } from "../workbook/samples/events";
import { buildPlanningSheet } from "../workbook/samples/planning";
import { buildFunctionsSheet, type FunctionsSheet, readFunctionsHelp } from "./functions-sheet";

export interface StartData {
  /** The answer of `/demo-data`; rejects where there is none. */
  readonly demoData: Promise<unknown>;
  /** The answer of `/functions-help.json`. */
  readonly functionsHelp: Promise<unknown>;
}

export interface StartBook {
  readonly functions: FunctionsSheet | null;
  /** What could not be built, in words. */
  readonly problems: readonly string[];
}

/** Builds all sheets, then shows the first of them. */
export async function buildStartBook(workbook: Workbook, data: StartData): Promise<StartBook> {
  const problems: string[] = [];
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      problems.push(
        `The ${what} sheet could not be built: ${error instanceof Error ? error.message : "unknown error"}`,
      );
      return null;
    }
  };
  return workbook.step(async () => {
    const demoData = async () => readDemoData(await data.demoData);
    const planning = await attempt("Planning", async () => buildPlanningSheet(workbook, await demoData()));
    await attempt("Events", async () => buildEventsSheet(workbook, await demoData()));
    await attempt("Cases", async () => buildCasesSheet(workbook, await demoData()));
    const functions = await attempt("Functions", async () =>
      buildFunctionsSheet(workbook, readFunctionsHelp(await data.functionsHelp)),
    );
    if (planning !== null) await workbook.select({ sheet: planning, row: 0, col: 0, rows: 1, cols: 1 });
    return { functions, problems };
  });
}
