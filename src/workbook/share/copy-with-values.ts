/**
 * Copies sheets with their values, for people without INV and for a dated series. The new sheets say above the cells where the
 * values are from, and how old they are. The originals stay unchanged.
 */
import type { ReturnedValue } from "../../cells/cell-record";
import type { CellRegister, StaleCell } from "../../cells/cell-register";
import { functionFacts } from "../../domain/functions";
import { count } from "../../domain/number-words";
import { InvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import { callsIn, invFunctionNamed } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";
import { areaAddress, cellAddresses, cellsOf, parseCellAddress } from "../addresses";
import { findInvFormulas } from "../formula-search";
import { createFormulaReader } from "../inv-formula";
import type { Area, CellRef, FormulaCell, SheetCopy, Workbook } from "../port";
import { invCellAt } from "../register-cells";
import { type AsOf, asOfOldest, type EarlierValues, oldestTimeMs } from "../refresh/earlier-values";
import { readShown, showsOther } from "../refresh/shown";
import { cut, mostLetters } from "../sheet-names";
import { stillWaiting } from "../still-waiting";
import { ageLine, sourceLine } from "./about-values";

export interface CopyFacts {
  /** The environment's label; "" if there is none. */
  readonly environment: string;
  readonly nowMs: number;
  readonly cells: Pick<CellRegister, "all" | "get" | "uncalculated">;
  readonly clock: Clock;
  /** Searches the workbook. Then the register knows which formulas show values that this session hasn't calculated. */
  readonly search: () => Promise<unknown>;
  /** Those values. */
  readonly earlier: EarlierValues | null;
  /** Cells of any sheet that show their last known answer. */
  readonly stale: readonly Pick<StaleCell, "address">[];
}

const mostCells = 400_000;
/** Two lines and a blank row. */
const rowsAbove = 3;

/**
 * Resolves with the names of the new sheets. Rejects, and leaves no sheet, while cells wait or show something else than INV returned,
 * because that isn't a value.
 * @param sheet null for all sheets with INV formulas
 */
export async function copyWithValues(
  workbook: Workbook,
  sheet: string | null,
  facts: CopyFacts,
): Promise<readonly string[]> {
  const area = sheet === null ? null : await areaOf(workbook, sheet);
  const formulas = await findInvFormulas(workbook, area === null ? undefined : [area]);
  const sheets = sheet === null ? [...new Set(formulas.map((cell) => cell.sheet))] : [sheet];
  if (sheets.length === 0) {
    throw new InvError("not-possible", "No sheet has INV formulas, so there is nothing to copy.");
  }
  refuseWaiting(sheets, facts);
  await facts.search();
  await refuseOther(workbook, formulas, facts);
  const inUse = (await workbook.sheets()).map(({ name }) => name);
  const formats = await formatsOfTimes(workbook, formulas);
  const copies: SheetCopy[] = [];
  for (const from of sheets) {
    const to = copyName(from, facts.nowMs, [...inUse, ...copies.map((copy) => copy.to)]);
    const sheetFormulas = formulas.filter((cell) => cell.sheet === from);
    copies.push({
      area: area ?? (await areaOf(workbook, from)),
      to,
      above: [
        sourceLine(`Values of "${from}", copied`, facts.environment, facts.nowMs),
        ageLine({ asOf: asOfCopy(sheetFormulas, facts), stale: staleOn(from, facts) }),
        null,
      ],
      formats: formats.filter(({ ref }) => ref.sheet === from),
      errors: returnedErrors(from, facts),
    });
  }
  await workbook.copyWithValues(copies);
  const [first = { to: "" }] = copies;
  // The copies are complete, also if Excel doesn't show them.
  await workbook.select({ sheet: first.to, row: 0, col: 0, rows: 1, cols: 1 }).catch(() => undefined);
  return copies.map(({ to }) => to);
}

async function areaOf(workbook: Workbook, sheet: string): Promise<Area> {
  const area = await workbook.usedArea(sheet);
  if (area === null) throw refused(`The sheet "${sheet}" is empty, so there is nothing to copy.`);
  if (area.rows * area.cols > mostCells) {
    throw refused(`The sheet "${sheet}" is too large to copy (more than ${count(mostCells)} cells).`);
  }
  return area;
}

function refuseWaiting(sheets: readonly string[], { cells }: CopyFacts): void {
  for (const { state, address } of cells.all()) {
    if (state === "waiting" && isOn(sheets, address)) throw stillWaiting();
  }
}

/** Excel may keep an old value of a calculated cell, or show 0 for a moment. */
async function refuseOther(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
  { cells, clock }: CopyFacts,
): Promise<void> {
  const read = createFormulaReader();
  const compared = formulas.filter((cell) => invCellAt(cells, cell)?.returned !== undefined);
  const shown = await readShown({ workbook, clock }, compared);
  const other = compared.find((cell, index) =>
    showsOther(shown[index], read(cell.formula), invCellAt(cells, cell)),
  );
  if (other === undefined) return;
  throw refused(
    `${cellAddresses(other)[0]} doesn't show what INV returned. Wait a moment or refresh, then copy again.`,
  );
}

function isOn(sheets: readonly string[], address: string): boolean {
  return sheets.includes(parseCellAddress(address)?.sheet ?? "");
}

/** Returns `Planning 2026-11-23`, by the person's clock. Another copy of the day is `Planning 2026-11-23 (2)`, as Excel names copies. */
function copyName(from: string, nowMs: number, inUse: readonly string[]): string {
  const at = new Date(nowMs);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  const used = new Set(inUse.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? ` ${day}` : ` ${day} (${number})`;
    const name = cut(from, mostLetters - ending.length) + ending;
    if (!used.has(name.toLowerCase())) return name;
  }
}

/**
 * Formats of the times that functions return. In a cell of format General, a function's time looks like a date, but like 46348.52
 * once the value replaces the formula.
 */
async function formatsOfTimes(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
): Promise<SheetCopy["formats"]> {
  const extents = await workbook.extents(formulas.filter(mayReturnTimes));
  const cells: readonly CellRef[] = extents.flatMap((extent) => cellsOf(extent));
  const formats = await workbook.broughtFormats(cells);
  return cells.flatMap((ref, index) => {
    const numberFormat = formats[index] ?? null;
    return numberFormat === null ? [] : [{ ref, numberFormat }];
  });
}

/** Also true for a formula that calls INV through a name. */
function mayReturnTimes({ formula }: FormulaCell): boolean {
  const names = callsIn(tokensOf(formula)).flatMap(({ name }) => invFunctionNamed(name) ?? []);
  return names.length === 0 || names.some((name) => functionFacts[name]?.times !== undefined);
}

function asOfCopy(formulas: readonly FormulaCell[], { cells, earlier }: CopyFacts): AsOf {
  const invCells = formulas.flatMap((formula) => invCellAt(cells, formula) ?? []);
  const uncalculated = cells.uncalculated();
  const areOthers =
    uncalculated === null
      ? invCells.length < formulas.length
      : formulas.some((formula) => cellAddresses(formula).some((address) => uncalculated.has(address)));
  return asOfOldest(
    oldestTimeMs(invCells),
    areOthers ? (earlier ?? { cells: null, oldestMs: "unknown" }) : null,
  );
}

/** Returns the cells of the sheet in which INV has returned an error, those of larger results included. */
function returnedErrors(sheet: string, { cells }: CopyFacts): readonly CellRef[] {
  const found: CellRef[] = [];
  for (const { address, returned, state } of cells.all()) {
    const ref = isOn([sheet], address) ? parseCellAddress(address) : null;
    if (ref === null) continue;
    if (!Array.isArray(returned)) {
      if (state === "problem") found.push(ref);
      continue;
    }
    for (const [r, line] of (returned as readonly (readonly ReturnedValue[])[]).entries()) {
      for (const [c, value] of line.entries()) {
        if (typeof value === "object" && value !== null) {
          found.push({ ...ref, row: ref.row + r, col: ref.col + c });
        }
      }
    }
  }
  return found;
}

function staleOn(sheet: string, { stale }: CopyFacts): readonly string[] {
  return stale.flatMap(({ address }) => (isOn([sheet], address) ? addressInCopy(address) : []));
}

/** Returns `C5` for `Plan!C2`, since the copy's cells begin below the lines. */
function addressInCopy(address: string): string {
  const cell = parseCellAddress(address);
  return cell === null ? address : areaAddress({ ...cell, row: cell.row + rowsAbove, rows: 1, cols: 1 });
}

function refused(message: string): InvError {
  return new InvError("not-possible", message);
}
