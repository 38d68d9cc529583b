/**
 * The steps that only a person can judge in Excel: at most 20, in at most 35 minutes. The first ones decide most: whether Excel takes the
 * functions, and whether numbers could be wrong or lost. A step keeps its number, because the log refers to it.
 */
import type { Certainty } from "./check";

export interface ManualStep {
  readonly row: number;
  readonly minutes: number;
  /** Whether the step is also useful on a Mac. */
  readonly mac?: true;
  readonly act: string;
  readonly expect: string;
  readonly sure: Certainty;
  readonly reliedOnIn: string;
}

export const manualSteps: readonly ManualStep[] = [
  {
    row: 65,
    minutes: 2,
    mac: true,
    act: 'Type =INV.QTY(1234,"00012345678905"), then =INV.QTY(A2,B2, in another cell',
    expect:
      "a number; a list of location areas (if Excel knows no INV function at all, build with INV_ARGUMENT_LISTS=0)",
    sure: "documented",
    reliedOnIn: "functions/catalogue/inventory.ts",
  },
  {
    row: 64,
    minutes: 2,
    mac: true,
    act: "Fill =INV.QTY down 2,000 rows, refresh the workbook, and put another workbook in front at once",
    expect: "values; no message that a cell must be selected",
    sure: "reported",
    reliedOnIn: "workbook/office/names.ts",
  },
  {
    row: 25,
    minutes: 1,
    act: "On the web: refresh the planning sheet, choose Copy with values at once, and again at the end",
    expect:
      "the first is refused and leaves no sheet, or has no #BUSY!; the second has every row, dates as dates and errors as errors",
    sure: "reported",
    reliedOnIn: "workbook/office/copy-sheets.ts",
  },
  {
    row: 74,
    minutes: 2,
    act: "Refresh the planning sheet, wait two minutes and refresh again; compare five cells with the value that the Cell tab names",
    expect: "no cell shows an older value than the Cell tab; no green mark while one does",
    sure: "assumed",
    reliedOnIn: "workbook/refresh/shown.ts",
  },
  {
    row: 75,
    minutes: 1,
    act: '=INV.QTY(1234,"00012345678905")+INV.QTY(1234,"00012345678912"), then refresh it',
    expect: "the sum of both numbers, before and after",
    sure: "documented",
    reliedOnIn: "functions/places.ts",
  },
  {
    row: 22,
    minutes: 3,
    mac: true,
    act: "Build the planning sheet with 3 rows, an item history, and a grid; type a store and a GTIN below the last row of the first",
    expect:
      "no #CALC! and no #BUSY! that stays; colours and notes; a Table named Planning whose new row has its formulas; readable in the dark theme",
    sure: "documented",
    reliedOnIn: "workbook/office/formatting.ts",
  },
  {
    row: 76,
    minutes: 2,
    act: "Two people in one workbook (OneDrive or SharePoint) build the planning sheet at the same time",
    expect: "two sheets with different names, both complete; nobody loses a sheet",
    sure: "assumed",
    reliedOnIn: "workbook/build-sheet.ts",
  },
  {
    row: 10,
    minutes: 1,
    mac: true,
    act: "On the web and on Windows: build a template, then Ctrl+Z once",
    expect:
      "all that INV wrote is gone; write down whether the empty sheet stays, and whether Excel refused to undo (office-js 3141)",
    sure: "assumed",
    reliedOnIn: "workbook/office/excel-batches.ts",
  },
  {
    row: 77,
    minutes: 2,
    act: 'Name =UNIQUE(A2:A20) Stores, type =INV.QTY(Stores,"00012345678905"), change a store, refresh',
    expect: "a column of numbers, one for each store, and the new one after the change",
    sure: "documented",
    reliedOnIn: "workbook/formula-queries.ts",
  },
  {
    row: 78,
    minutes: 2,
    act: "On Windows and on the web: save a sheet as a template file in the pane, copy its text too, and open the file from the gallery in another workbook",
    expect:
      "the same sheet; write down whether the file name.inv.json arrives, whether Copy works, and whether the pane can open a file",
    sure: "assumed",
    reliedOnIn: "taskpane/templates/team-template.tsx",
  },
  {
    row: 79,
    minutes: 1,
    mac: true,
    act: "Press ? in the pane on Windows and on the web",
    expect: "the page of functions, in the system's browser",
    sure: "documented",
    reliedOnIn: "addin/host.ts",
  },
  {
    row: 38,
    minutes: 1,
    act: "Type a word into a cell, refresh, wait five seconds, Ctrl+Z",
    expect: "the word is gone",
    sure: "documented",
    reliedOnIn: "workbook/refresh/earlier-values.ts",
  },
  {
    row: 54,
    minutes: 2,
    act: "Remove INV from Excel, type two INV formulas, add INV again; replace all INV. by INV.",
    expect: "if #NAME? stays, the pane says what to do; the cells show values after Replace All",
    sure: "reported",
    reliedOnIn: "workbook/inspect/name-errors.ts",
  },
  {
    row: 46,
    minutes: 3,
    act: "Choose Check this Excel again in a German Excel, with German regional settings",
    expect: "nothing DIFFERS",
    sure: "documented",
    reliedOnIn: "workbook/office/contents.ts",
  },
  {
    row: 6,
    minutes: 3,
    act: "On the web, disconnected: 1,000 stores in A, 50 items in B1:AY1, =INV.QTY(A2:A1001,B1:AY1), and 40,000 single formulas on another sheet; then connect and recalculate",
    expect:
      "at once one #VALUE! with its reason; within a minute #VALUE! in all single cells, without a restart; then 90,000 numbers",
    sure: "code",
    reliedOnIn: "functions/present.ts",
  },
  {
    row: 39,
    minutes: 2,
    act: "Recalculate those 40,000; type a number into a cell beside one while they show #BUSY!, then press Cancel in the pane",
    expect: "typing isn't delayed; every cell gets its value or, after Cancel, its reason; none stays #BUSY!",
    sure: "documented",
    reliedOnIn: "functions/calculate.ts",
  },
  {
    row: 9,
    minutes: 2,
    act: "Refresh 2,000 formulas, close the pane meanwhile, and put the computer to sleep for a minute",
    expect: "values; cells that stay #BUSY! are calculated again within 30 s",
    sure: "reported",
    reliedOnIn: "workbook/refresh/run.ts",
  },
  {
    row: 4,
    minutes: 1,
    act: "Save a workbook with 200 formulas, close Excel, delay addin.js by 5 s on the server, open the workbook and press Ctrl+Alt+F9",
    expect: "values; no #NAME?, no #VALUE! without a reason",
    sure: "code",
    reliedOnIn: "addin/load-host.ts",
  },
  {
    row: 60,
    minutes: 1,
    act: "If people sign in: press Sign in at … in Settings, and finish there",
    expect:
      "a dialog that closes by itself, and the person's name in the pane; or a code that the pane takes",
    sure: "documented",
    reliedOnIn: "addin/sign-in-service.ts",
  },
  {
    row: 52,
    minutes: 1,
    mac: true,
    act: "On a Mac, before all other steps: enter 200 formulas and close the pane; after 30 minutes press Ctrl+Alt+F9, then open the pane",
    expect: "values, perhaps late; the pane opens; no cell stays #BUSY!",
    sure: "reported",
    reliedOnIn: "functions/context.ts",
  },
];
