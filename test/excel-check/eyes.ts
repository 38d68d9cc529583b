/**
 * What only a person can judge about an Excel, as steps of some minutes that fit in an hour together: first the ten
 * minutes in which data could be lost. Numbers are
 * kept when steps go or come, since the log names them.
 */
import type { Certainty } from "./check";

export interface EyesStep {
  readonly row: number;
  readonly minutes: number;
  /** Worth doing on a Mac too. */
  readonly mac?: true;
  readonly act: string;
  readonly expect: string;
  readonly sure: Certainty;
  readonly heldIn: string;
}

export const eyesSteps: readonly EyesStep[] = [
  {
    row: 61,
    minutes: 2,
    act: "Freeze 100 formulas, then press Ctrl+Z three times; the same on the web",
    expect:
      "Excel goes on; each cell has its number or its formula, and Thaw brings back what is still frozen",
    sure: "reported",
    heldIn: "workbook/frozen-formulas/freeze.ts",
  },
  {
    row: 62,
    minutes: 2,
    act: "Freeze a sheet, copy its tab, thaw the copy, then thaw the original",
    expect: "both sheets have their formulas, or the pane says why not",
    sure: "assumed",
    heldIn: "workbook/frozen-formulas/thaw.ts",
  },
  {
    row: 63,
    minutes: 2,
    act: "Freeze 5,000 formulas and insert a row in the middle while it runs; thaw",
    expect: "no number and no formula is in another row; what stays frozen is listed with its reason",
    sure: "assumed",
    heldIn: "workbook/frozen-formulas/freeze.ts",
  },
  {
    row: 10,
    minutes: 2,
    mac: true,
    act: "On the web and on Windows: build a template, then Ctrl+Z once",
    expect:
      "the sheet is gone in one undo, or, where Excel refuses the group, it was built all the same; documented to fail after any save of settings while office-js 3141 is open",
    sure: "documented",
    heldIn: "workbook/office/session.ts",
  },
  {
    row: 64,
    minutes: 2,
    mac: true,
    act: "Start a refresh of 2,000 formulas, and put another workbook in front at once",
    expect: "values; nothing says that a cell must be selected",
    sure: "reported",
    heldIn: "workbook/office/names.ts",
  },
  {
    row: 52,
    minutes: 1,
    mac: true,
    act: "First of all, on a Mac: 200 formulas, close the pane, go on with the rest; after 30 minutes Ctrl+Alt+F9, then open the pane",
    expect: "values, late at most; the pane opens; nothing stays #BUSY!",
    sure: "reported",
    heldIn: "functions/session.ts",
  },
  {
    row: 41,
    minutes: 1,
    act: "Close Excel, open a workbook with INV cells, the pane closed; press Refresh on the Home tab at once, before anything has loaded",
    expect: "the refresh comes when INV has loaded",
    sure: "reported",
    heldIn: "addin/command-desk.ts",
  },
  {
    row: 53,
    minutes: 4,
    mac: true,
    act: "Below the pane, Check this Excel, with the demo; copy the result to the log",
    expect: "nothing DIFFERS; what is noted is written down (savedAsArray, separators, Tables)",
    sure: "assumed",
    heldIn: "test/excel-check/check-book.ts",
  },
  {
    row: 46,
    minutes: 3,
    act: "Set German or Czech regional settings (list separator ;) and check this Excel again; the same in an Excel that speaks German",
    expect: "nothing DIFFERS",
    sure: "reported",
    heldIn: "workbook/office/area-lists.ts",
  },
  {
    row: 3,
    minutes: 1,
    mac: true,
    act: 'Hover the error flag of =INV.QTY("x","00012345678905"), alone and as one of a column',
    expect: "the reason; where Excel gives its own text, the pane's Problems have the reason",
    sure: "reported",
    heldIn: "functions/present.ts",
  },
  {
    row: 4,
    minutes: 3,
    act: "Cold start with a slow server: save a workbook of 200 formulas, close Excel, let the server wait 5 s before addin.js, open the workbook, Ctrl+Alt+F9",
    expect: "values; no #NAME?, no #VALUE! without a reason, nothing stuck",
    sure: "code",
    heldIn: "addin/hold-functions.ts",
  },
  {
    row: 54,
    minutes: 2,
    act: 'Take INV out of Excel, type =INV.QTY(1234,"00012345678905"), put INV back, open the pane\'s Problems',
    expect: "where #NAME? stays the pane counts it; Enter it again brings the value",
    sure: "reported",
    heldIn: "workbook/inspect/name-errors.ts",
  },
  {
    row: 21,
    minutes: 1,
    mac: true,
    act: "The pane in Excel's dark theme; started hidden by a formula and then opened",
    expect: "dark; it is drawn at once",
    sure: "documented",
    heldIn: "addin/start.ts",
  },
  {
    row: 8,
    minutes: 1,
    mac: true,
    act: '=INV.UPDATED(1234,"00012345678905") in a cell of format General and in one with a format of its own; refresh both',
    expect: "a date; the own format stays; both as before",
    sure: "documented",
    heldIn: "functions/present.ts",
  },
  {
    row: 6,
    minutes: 3,
    act: "On the web, disconnected: 1,000 stores in A, 50 items in B1:AY1, =INV.QTY(A2:A1001,B1:AY1), =INV.EVENTTYPES() beside it, and 40,000 single formulas on another sheet; then connect and recalculate",
    expect:
      "a #VALUE! with the reason and the table beside it at once; all single ones #VALUE! within a minute, no restart of the add-in; then 50,000 numbers",
    sure: "code",
    heldIn: "functions/present.ts",
  },
  {
    row: 39,
    minutes: 2,
    act: "Fill =INV.QTY down 40,000 rows; type a number into a cell beside it while they show #BUSY!, then press Cancel in the pane",
    expect:
      "typing is not held up; every cell gets its value or, after Cancel, its reason; none stays #BUSY!",
    sure: "assumed",
    heldIn: "functions/session.ts",
  },
  {
    row: 9,
    minutes: 2,
    act: "Refresh 2,000 formulas; meanwhile close the pane, and once put the computer to sleep for two minutes",
    expect: "values; cells that stay #BUSY! are calculated again within 30 s, the pane says so",
    sure: "reported",
    heldIn: "workbook/refresh/aftermath.ts",
  },
  {
    row: 42,
    minutes: 2,
    act: "Automatic refresh every 5 minutes in one workbook; type a word, wait for a refresh, Ctrl+Z; save, close Excel, open that workbook, then another with INV cells",
    expect:
      "the word goes; INV starts with the first workbook by itself; the other is not refreshed by itself",
    sure: "reported",
    heldIn: "connection/auto-refresh-choice.ts",
  },
  {
    row: 38,
    minutes: 1,
    act: "Refresh, type a word into a cell, wait five seconds, Ctrl+Z; rename the sheet; save, close, open again without a refresh",
    expect: "the word goes; Look knows the renamed cells; the pane's header says how old the values are",
    sure: "assumed",
    heldIn: "workbook/refresh/earlier-values.ts",
  },
  {
    row: 22,
    minutes: 3,
    mac: true,
    act: "Build the planning sheet with 3 rows and both optional columns, an item history, the store x item grid and the empty shelf hunt; type a store and a GTIN below the last row of the first",
    expect:
      "a Table named Planning whose new row has its formulas; a column chart over G1:M13 and a note on D1 (none before ExcelApi 1.18); heat colours; red on pale red; readable in Excel's dark theme",
    sure: "documented",
    heldIn: "workbook/office/formatting.ts",
  },
  {
    row: 25,
    minutes: 2,
    act: "Freeze the planning sheet, type a number over one cell, sort it by store, thaw",
    expect:
      "formulas are back only where store, item and value are the same; the typed number stays; the rest is named",
    sure: "reported",
    heldIn: "workbook/frozen-formulas/thaw.ts",
  },
  {
    row: 16,
    minutes: 1,
    act: "Begin to type in a cell, press Refresh, wait, Enter; then select two blocks with Ctrl, then a chart",
    expect: "nothing until Enter, then the refresh; the price is for both blocks, and stays with the chart",
    sure: "documented",
    heldIn: "workbook/office/selection.ts",
  },
  {
    row: 15,
    minutes: 2,
    act: "On the web: 200,000 formulas, refresh the workbook",
    expect: "the price comes, nothing stops",
    sure: "documented",
    heldIn: "workbook/office/read.ts",
  },
  {
    row: 26,
    minutes: 2,
    act: "Two people in one workbook (OneDrive or SharePoint), one with credentials, one without; both recalculate",
    expect: "what the one without does to the other's numbers: write it down, it is not known",
    sure: "assumed",
    heldIn: "functions/session.ts",
  },
  {
    row: 50,
    minutes: 2,
    act: "Two people in one workbook freeze different cells in the same minute; one of them thaws the workbook",
    expect: "every formula is back",
    sure: "assumed",
    heldIn: "workbook/frozen-formulas/ledger.ts",
  },
  {
    row: 44,
    minutes: 3,
    act: "Open a workbook with INV cells in Teams; in Protected View; with a protected structure",
    expect: "values; nothing until editing is enabled; a template says why it cannot be built",
    sure: "documented",
    heldIn: "server/pages.ts",
  },
  {
    row: 28,
    minutes: 2,
    act: "Open a workbook with INV formulas where INV is not installed, and from OneDrive for consumers on the web where it is",
    expect: "numbers, then #NAME? after a recalculation; on the web the add-in loads, values come",
    sure: "reported",
    heldIn: "-",
  },
  {
    row: 36,
    minutes: 3,
    act: "Publish a version with a raised manifest version and a new function; a workbook open meanwhile",
    expect: "listed after the next start; values as before until then",
    sure: "reported",
    heldIn: "functions/calculate.ts",
  },
  {
    row: 60,
    minutes: 1,
    act: "Where people sign in: press Sign in at … in Settings, and finish there",
    expect:
      "a dialog that closes by itself, and the person's name in the pane; or a code that the pane takes",
    sure: "documented",
    heldIn: "addin/sign-in-window.ts",
  },
  {
    row: 65,
    minutes: 2,
    mac: true,
    act: 'Type =INV.QTY(A2,B2, and =INV.STOCK(A2,B2, in two cells; then =INV.ITEM(1234,"00012345678905") in A2, =A2.Backroom, =A2.[Shelf net]; open the card of A2; freeze the sheet',
    expect:
      "a list of location areas and of item types (if INV.QTY, declared for ranges, has none, write it down); numbers; a card with its fields; after freezing a plain number",
    sure: "documented",
    heldIn: "functions/item-card.ts",
  },
];
