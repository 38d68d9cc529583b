/**
 * The sheets with which an Excel checks itself. One contains each check: what was seen, what was expected and a formula
 * that compares the two. One contains the cells that the formulas refer to, and one the steps that a person must judge.
 * All have their own names and are removed together.
 */
import { columnName } from "../../src/formula/columns";
import { toInvError } from "../../src/domain/errors";
import type { CellValue, Workbook } from "../../src/workbook/port";
import { bookActions } from "./book-actions";
import { cellActions } from "./cell-actions";
import { type ActionCheck, addNamed, type CheckBed, needsExcel, areaOnBed, settled } from "./check";
import { roundTripActions } from "./round-trip-actions";
import { dataRows, dataSheet, formulaChecks } from "./formula-checks";

const checkSheet = "INV check";
const scratchSheet = "INV check scratch";
const isOurs = (name: string): boolean => /^INV check\b/.test(name);

export const actionChecks: readonly ActionCheck[] = [...roundTripActions, ...bookActions, ...cellActions];
const checks = [...formulaChecks, ...actionChecks];

const columns = ["What INV assumes", "Formula or action", "Seen", "Expected", "Verdict", "From"];
const pollMs = 250;
const maxPolls = 40;
/** The first row of checks, below a title, the counts and the columns' names. */
const first = 4;
const last = first + checks.length - 1;

export interface CheckRun extends Omit<CheckBed, "sheet"> {
  /** Shown in the title before the date: version, Excel, environment. */
  readonly about: string;
  readonly nowMs: number;
  /** Called before each action. */
  onStep(step: CheckStep): void;
  /** Once this returns true, no further action runs. */
  isStopped(): boolean;
}

export interface CheckStep {
  readonly number: number;
  readonly of: number;
  readonly fact: string;
}

/** Rebuilds the sheets, runs every action, and returns the outcome of each check as text. */
export async function checkExcel(run: CheckRun): Promise<string> {
  const { workbook } = run;
  await removeCheck(workbook);
  await build(run);
  for (const [index, check] of actionChecks.entries()) {
    if (run.isStopped()) break;
    run.onStep({ number: index + 1, of: actionChecks.length, fact: check.fact });
    await show(workbook, index, await tryOn(run, check));
  }
  await workbook.select({ sheet: checkSheet, row: 0, col: 0, rows: 1, cols: 1 });
  await settled({ ...run, sheet: checkSheet }, area(`C${first}:C${first + formulaChecks.length - 1}`));
  return judged(run);
}

/** Returns the text once the verdict formulas reflect the last values written. */
async function judged({ workbook, pause, isStopped }: CheckRun): Promise<string> {
  for (let poll = 1; ; poll += 1) {
    const text = await asText(workbook);
    if (!/^not run/m.test(text) || isStopped() || poll === maxPolls) return text;
    await pause(pollMs);
  }
}

/** The sheet as lines of text. It contains nothing about the person or the company. */
async function asText(workbook: Workbook): Promise<string> {
  const rows = await workbook.read(area(`A1:F${last}`), "text");
  const line = (cells: readonly CellValue[]) => cells.map((cell) => String(cell ?? "")).join(" | ");
  const [title = [], counts = [], , ...body] = rows;
  return [line(title.slice(0, 1)), line(counts.slice(0, 1)), ...body.map(verdictFirst).map(line)].join("\n");
}

function verdictFirst([fact, tried, seen, expected, verdict, from]: readonly CellValue[]): CellValue[] {
  return [verdict ?? "", fact ?? "", tried ?? "", seen ?? "", expected ?? "", from ?? ""];
}

export async function removeCheck(workbook: Workbook): Promise<void> {
  const sheets = await workbook.sheets();
  const ours = sheets.filter(({ name }) => isOurs(name));
  // Excel must keep one visible sheet.
  if (ours.length > 0 && sheets.every(({ name, visible }) => isOurs(name) || !visible)) {
    await workbook.addSheet("Sheet1");
  }
  for (const { id } of ours) await workbook.deleteSheet(id);
}

async function build({ workbook, probes, about, nowMs }: CheckRun): Promise<void> {
  await workbook.addSheet(dataSheet);
  const cols = dataRows[0]?.length ?? 0;
  await workbook.write({ sheet: dataSheet, row: 0, col: 0, rows: dataRows.length, cols }, dataRows);
  await workbook.addSheet(checkSheet, { frozenRows: first - 1 });
  const count = (verdict: string) => `COUNTIF(E${first}:E${last},"${verdict}")`;
  const title = `INV, ${about}, ${new Date(nowMs).toISOString().slice(0, 10)}`;
  await workbook.write(area("A1"), [[title]], { asText: true });
  await workbook.write(area("A2"), [
    [`=${count("DIFFERS")}&" differ, "&${count("ok")}&" ok, "&${count("noted")}&" noted"`],
  ]);
  await workbook.write(area("A3:F3"), [columns], { asText: true });
  const texts = checks.map((check) => [check.fact, "formula" in check ? check.formula : check.action]);
  await workbook.write(area(`A${first}:B${last}`), texts, { asText: true });
  await workbook.write(
    area(`D${first}:D${last}`),
    checks.map(({ expected }) => [expected]),
    { asText: true },
  );
  await workbook.write(
    area(`F${first}:F${last}`),
    checks.map(({ sure, source }) => [source === undefined ? sure : `${sure}: ${source}`]),
    { asText: true },
  );
  await workbook.write(
    area(`E${first}:E${last}`),
    checks.map((_, index) => [verdictOf(first + index)]),
  );
  await workbook.write(
    area(`C${first}:C${first + formulaChecks.length - 1}`),
    formulaChecks.map((check) => [probes === null && check.needsExcel ? needsExcel : check.formula]),
  );
  await dress(workbook);
}

/** The verdict is a formula in the cell, so that everybody sees what it compares. */
function verdictOf(row: number): string {
  const [seen, expected] = [`C${row}`, `D${row}`];
  const compared = `IF(${expected}="","noted",IF(${seen}=${expected},"ok","DIFFERS"))`;
  return `=IF(ISERROR(${seen}),"DIFFERS",IF(${seen}="","not run",IF(${seen}="${needsExcel}","not here",${compared})))`;
}

async function dress(workbook: Workbook): Promise<void> {
  await workbook.format(area("A1"), { bold: true });
  await workbook.format(area("A3:F3"), { bold: true });
  const widths = [420, 320, 150, 150, 80, 200];
  for (const [col, widthPx] of widths.entries()) {
    await workbook.format(area(`${columnName(col)}1:${columnName(col)}${last}`), { widthPx, align: "left" });
  }
  const verdicts = area(`E${first}:E${last}`);
  await workbook.highlight(verdicts, {
    kind: "formula",
    formula: `=E${first}="DIFFERS"`,
    fill: "#fde7e9",
    color: "#a4262c",
  });
  await workbook.highlight(verdicts, {
    kind: "formula",
    formula: `=E${first}="ok"`,
    fill: "#dff6dd",
    color: "#0b6a0b",
  });
}

/** Runs a check on a new empty sheet. A check that fails reports how, and the next one continues. */
async function tryOn(run: CheckRun, check: ActionCheck): Promise<string> {
  const { id, name: sheet } = await addNamed(run.workbook, scratchSheet);
  const before = run.callsSent();
  try {
    return await check.run({ ...run, sheet, callsSent: () => run.callsSent() - before });
  } catch (error) {
    return `failed: ${toInvError(error).message}`;
  } finally {
    await run.workbook.deleteSheet(id).catch(() => undefined);
  }
}

async function show(workbook: Workbook, index: number, seen: string): Promise<void> {
  await workbook.write(area(`C${first + formulaChecks.length + index}`), [[seen]], { asText: true });
}

function area(address: string) {
  return areaOnBed({ sheet: checkSheet }, address);
}
