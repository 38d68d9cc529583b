/**
 * The steps that only a person can judge in Excel. Each takes some minutes; all together fit in an hour. The first five
 * decide most: whether Excel takes the functions, and whether data could be lost. A step keeps its number, because the log refers to it.
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
    act: "Type =INV.QTY(A2,B2, and =INV.STOCK(A2,B2, in two cells",
    expect:
      "a list of location areas and one of item types (if INV.QTY has none, write it down; if Excel knows no INV function at all, build with INV_ARGUMENT_LISTS=0)",
    sure: "documented",
    reliedOnIn: "functions/catalogue/inventory.ts",
  },
  {
    row: 54,
    minutes: 2,
    act: 'Remove INV from Excel, type =INV.QTY(1234,"00012345678905"), add INV again, open the fold of cells without a number on the Refresh tab; press F2 and Enter in the cell',
    expect: "if #NAME? stays, the pane says what to do; the cell shows the value after Enter",
    sure: "reported",
    reliedOnIn: "workbook/inspect/name-errors.ts",
  },
  {
    row: 25,
    minutes: 1,
    act: "Filter the planning sheet to some stores and choose Copy with values; clear the filter; refresh, and copy again while cells show #BUSY!",
    expect:
      "the copy has every row, each with the colours of its own, dates that look like dates, and errors that are errors; the second copy is refused and leaves no sheet",
    sure: "reported",
    reliedOnIn: "workbook/office/copy-sheets.ts",
  },
  {
    row: 72,
    minutes: 1,
    act: "Move a sheet with INV formulas in from another open workbook; refresh the whole workbook",
    expect: "the header says that the age of some stock is unknown, until the refresh has ended",
    sure: "assumed",
    reliedOnIn: "workbook/office/edits.ts",
  },
  {
    row: 10,
    minutes: 2,
    mac: true,
    act: "On the web and on Windows: build a template, then Ctrl+Z once",
    expect:
      "the sheet is gone in one undo; if Excel refuses to group the steps, it was still built; Excel may refuse undo after settings were saved (office-js 3141)",
    sure: "documented",
    reliedOnIn: "workbook/office/excel-batches.ts",
  },
  {
    row: 64,
    minutes: 2,
    mac: true,
    act: "Start a refresh of 2,000 formulas, and put another workbook in front at once",
    expect: "values; no message that a cell must be selected",
    sure: "reported",
    reliedOnIn: "workbook/office/names.ts",
  },
  {
    row: 52,
    minutes: 1,
    mac: true,
    act: "On a Mac, before all other steps: enter 200 formulas, close the pane, continue with the other steps; after 30 minutes press Ctrl+Alt+F9, then open the pane",
    expect: "values, perhaps late; the pane opens; no cell stays #BUSY!",
    sure: "reported",
    reliedOnIn: "functions/context.ts",
  },
  {
    row: 41,
    minutes: 1,
    act: "Close Excel, open a workbook with INV cells and a closed pane; press Refresh on the Home tab before anything has loaded",
    expect: "the refresh starts when INV has loaded",
    sure: "reported",
    reliedOnIn: "addin/command-queue.ts",
  },
  {
    row: 67,
    minutes: 1,
    mac: true,
    act: "Close the pane and press Templates on the Home tab; close it again, stop the server and press Refresh this sheet",
    expect:
      "the pane with the templates, then a pane or a dialog with the reason; an add-in from the Marketplace shows dialogs with their text both times",
    sure: "documented",
    reliedOnIn: "addin/host.ts",
  },
  {
    row: 46,
    minutes: 3,
    act: "Choose Check this Excel again in a German Excel, with German regional settings",
    expect: "nothing DIFFERS",
    // learn.microsoft.com: Range.formulas and Range.numberFormat, beside their Local members.
    sure: "documented",
    reliedOnIn: "workbook/office/contents.ts",
  },
  {
    row: 3,
    minutes: 1,
    mac: true,
    act: 'Hover the error flag of =INV.QTY("x","00012345678905"), alone and as one of a column',
    expect: "the reason; if Excel shows a text of its own, the pane's Problems show the reason",
    sure: "reported",
    reliedOnIn: "functions/present.ts",
  },
  {
    row: 4,
    minutes: 3,
    act: "Cold start with a slow server: save a workbook with 200 formulas, close Excel, delay addin.js by 5 s on the server, open the workbook, press Ctrl+Alt+F9",
    expect: "values; no #NAME?, no #VALUE! without a reason, no stuck cell",
    sure: "code",
    reliedOnIn: "addin/load-host.ts",
  },
  {
    row: 21,
    minutes: 1,
    mac: true,
    act: "Switch Excel to the dark theme; let a formula start INV, then open the pane",
    expect: "a dark pane, drawn at once",
    sure: "documented",
    reliedOnIn: "addin/start.ts",
  },
  {
    row: 8,
    minutes: 1,
    mac: true,
    act: '=INV.UPDATED(1234,"00012345678905") in a cell with the General format and in one with its own format; refresh both',
    expect: "a date; the second cell keeps its format; both stay the same after the refresh",
    sure: "documented",
    reliedOnIn: "functions/present.ts",
  },
  {
    row: 6,
    minutes: 3,
    act: "On the web, disconnected: 1,000 stores in A, 50 items in B1:AY1, =INV.QTY(A2:A1001,B1:AY1), =INV.EVENTTYPES() beside it, and 40,000 single formulas on another sheet; then connect and recalculate",
    expect:
      "at once one #VALUE! with its reason, and the table beside it; within a minute #VALUE! in all single cells, without a restart of the add-in; then 50,000 numbers",
    sure: "code",
    reliedOnIn: "functions/present.ts",
  },
  {
    row: 39,
    minutes: 2,
    act: "Fill =INV.QTY down 40,000 rows; type a number into a cell beside it while they show #BUSY!, then press Cancel in the pane",
    expect: "typing isn't delayed; every cell gets its value or, after Cancel, its reason; none stays #BUSY!",
    // learn.microsoft.com: make custom functions compatible with XLL functions: calculation behavior.
    sure: "documented",
    reliedOnIn: "functions/calculate.ts",
  },
  {
    row: 9,
    minutes: 2,
    act: "Refresh 2,000 formulas; meanwhile close the pane, and once put the computer to sleep for two minutes",
    expect: "values; cells that stay #BUSY! are calculated again within 30 s, the pane says so",
    sure: "reported",
    reliedOnIn: "workbook/refresh/run.ts",
  },
  {
    row: 42,
    minutes: 2,
    act: "Set automatic refresh to 5 minutes in one workbook; type a word, wait for a refresh, Ctrl+Z; save, close Excel, open that workbook, then another with INV cells",
    expect:
      "the word is gone; INV starts with the first workbook; the other one isn't refreshed automatically",
    sure: "reported",
    reliedOnIn: "connection/auto-refresh-choice.ts",
  },
  {
    row: 38,
    minutes: 1,
    act: "Refresh, type a word into a cell, wait five seconds, Ctrl+Z; rename the sheet; save, close, open again without a refresh",
    expect:
      "the word is gone; the Cell tab knows the cells on the renamed sheet; the pane's header shows how old the values are",
    // learn.microsoft.com: undo support, and persisting state and settings.
    sure: "documented",
    reliedOnIn: "workbook/refresh/earlier-values.ts",
  },
  {
    row: 22,
    minutes: 3,
    mac: true,
    act: "Build the planning sheet with 3 rows and both optional columns, an item history, the store x item grid and the empty shelf hunt; type a store and a GTIN below the last row of the first",
    expect:
      "a Table named Planning whose new row has its formulas; a column chart over G1:M13 and a note on D1 (none before ExcelApi 1.18); heat colours; red on pale red; readable in Excel's dark theme",
    sure: "documented",
    reliedOnIn: "workbook/office/formatting.ts",
  },
  {
    row: 16,
    minutes: 1,
    act: "Begin to type in a cell, press Refresh, wait, Enter; then select two blocks with Ctrl, then a chart",
    expect:
      "nothing happens until Enter, then the refresh starts; the price covers both blocks, and stays the same with the chart",
    sure: "documented",
    reliedOnIn: "workbook/office/selection.ts",
  },
  {
    row: 15,
    minutes: 2,
    act: "On the web: 200,000 formulas, refresh the workbook",
    expect: "the price appears; Excel keeps responding",
    sure: "documented",
    reliedOnIn: "workbook/office/read.ts",
  },
  {
    row: 26,
    minutes: 2,
    act: "Two people in one workbook (OneDrive or SharePoint), one with credentials, one without; both recalculate",
    expect: "not known: write down what the person without credentials does to the other's numbers",
    sure: "assumed",
    reliedOnIn: "functions/context.ts",
  },
  {
    row: 44,
    minutes: 3,
    act: "Open a workbook with INV cells in Teams; then in Protected View; then one with a protected structure",
    expect: "values; nothing until editing is enabled; a template says why it can't be built",
    sure: "documented",
    reliedOnIn: "server/pages.ts",
  },
  {
    row: 28,
    minutes: 2,
    act: "Open a workbook with INV formulas on a machine without INV, and on the web from a consumer OneDrive with INV",
    expect: "numbers, then #NAME? after a recalculation; on the web the add-in loads and shows values",
    sure: "reported",
    reliedOnIn: "-",
  },
  {
    row: 36,
    minutes: 3,
    act: "With a workbook open, publish a version with a higher manifest version and a new function",
    expect: "Excel lists the function after its next start; until then values are as before",
    sure: "reported",
    reliedOnIn: "functions/calculate.ts",
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
    row: 70,
    minutes: 1,
    act: "On a planning sheet, colour Shelf below 5 (Highlight Cells) and give Total an icon set; insert a row into the Table; save the sheet as a team template and build its file",
    expect:
      "the same colours in the same columns, with formulas for their own rows; the notes of the headings; the pane names 1 icon set",
    sure: "assumed",
    reliedOnIn: "workbook/office/highlights.ts",
  },
];
