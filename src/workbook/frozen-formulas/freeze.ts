/**
 * Freezing: INV formulas become their values, and the ledger remembers them. The ledger is written and
 * read back before the first cell is touched, so that at every moment each formula is in its cell or
 * in the ledger, whatever ends the work half-way. What cannot be frozen is named and stays as it is.
 */
import type { CellRegister } from "../../cells/cell-register";
import { cellAddresses, cellKey, cellsOf } from "../addresses";
import { broughtFormats, giveFormats } from "../brought-formats";
import { canStand, standing, withoutKind } from "../cell-content";
import { digest } from "./digest";
import type { LedgerEntry } from "./entry";
import type { Ledger, LedgerContent } from "./ledger";
import { isLedgerSheet } from "./ledger-sheets";
import type { Area, CellRef, CellValue, FormulaCell, FormulaExtent, Workbook } from "../port";
import { toR1C1 } from "../references";
import { pendingIn, stillWaiting } from "../still-waiting";
import { type CellRows, readAreas, writeAreas } from "./blocks";
import { anchorEntries } from "./anchors";
import { headsOf, referencesOf, subjectsOf } from "./subjects";
import { formattedCells } from "./value-formats";

/** `values`: cells keep what they show. `blank`: they are emptied. */
export type FreezeAs = "values" | "blank";

/** Cells that were left alone, and why, in words. */
export interface LeftAlone {
  readonly reason: string;
  readonly cells: readonly CellRef[];
}

export interface FreezeReport {
  readonly cells: number;
  readonly left: readonly LeftAlone[];
  /** Frozen cells that have no name to move with: they are found again by their address alone. */
  readonly byAddress?: number;
}

export interface FreezeTools {
  readonly workbook: Workbook;
  readonly ledger: Ledger;
  readonly register: Pick<CellRegister, "get">;
  environmentId(): string | null;
  nowMs(): number;
}

interface Candidate {
  readonly formula: FormulaCell;
  readonly area: Area;
  readonly cells: CellRows;
}

/** The entries that a ledger would hold of these formulas, changing nothing: for a copy of the workbook. */
export async function ledgerEntries(
  tools: Omit<FreezeTools, "ledger">,
  formulas: readonly FormulaCell[],
): Promise<readonly LedgerEntry[]> {
  const { candidates: showing, fleeting } = await sift(tools.workbook, formulas, "values");
  const errors = fleeting.map((one): Candidate => ({
    ...one,
    cells: one.cells.map((row) => row.map(standing)),
  }));
  const candidates = [...showing, ...errors];
  const formats = await broughtFormats(tools.workbook, candidates);
  return describe(tools, { candidates, frozen: [], as: "values", formats });
}

/** @throws InvError when cells still wait, or when the ledger cannot be kept; nothing has changed then */
export async function freezeCells(
  tools: FreezeTools,
  formulas: readonly FormulaCell[],
  as: FreezeAs,
): Promise<FreezeReport> {
  const { workbook, ledger } = tools;
  const found = formulas.filter(({ sheet }) => !isLedgerSheet(sheet));
  if (found.length === 0) return { cells: 0, left: [] };
  return workbook.step(async () => {
    const { candidates, left } = await sift(workbook, found, as);
    if (candidates.length === 0) return { cells: 0, left };
    const formats = as === "values" ? await broughtFormats(workbook, candidates) : new Map<string, string>();
    const frozen = frozenAreas(await ledger.read());
    const described = await describe(tools, { candidates, frozen, as, formats });
    const { entries, names, byAddress } = anchorEntries(described, ledger, await workbook.names());
    await ledger.append(entries, "freezing");
    // Without them cells are found by their address: a workbook that takes no names is frozen all the same.
    const isAnchored = await workbook.addHiddenNames(names).then(
      () => true,
      () => false,
    );
    // Before the values: a cell that has lost its formula would not say any more what its value brought.
    await giveFormats(workbook, formattedCells(areasOf(candidates), formats));
    const changes = candidates.map(({ area, cells }) => ({
      area,
      cells: as === "values" ? cells : blankOf(area),
    }));
    await writeAreas(changes, (area, cells) => workbook.writeText(area, cells));
    // Reading makes sure that what was gathered has been written, before the ledger says so.
    const standing = await readAreas(
      workbook,
      candidates.map(({ formula }) => ({ ...formula, rows: 1, cols: 1 })),
      "formulas",
    );
    await ledger.keep(entries);
    const refused = candidates.filter(({ formula }) => isFormula(standing.get(cellKey(formula))?.[0]?.[0]));
    await ledger.setState("none");
    return {
      cells: candidates.length - refused.length,
      left: [...left, ...leftFor("Excel kept the formula", refused)],
      ...((byAddress > 0 || !isAnchored) && { byAddress: isAnchored ? byAddress : entries.length }),
    };
  });
}

/** What the ledger holds, where it is now. */
export function frozenAreas(content: LedgerContent | null): readonly Area[] {
  return (content?.lines ?? []).flatMap(({ at, entry: { rows, cols } }) =>
    at === null ? [] : [{ ...at, rows, cols }],
  );
}

export function keysOf(areas: readonly Area[]): ReadonlySet<string> {
  return new Set(areas.flatMap((area) => cellsOf(area).map(cellKey)));
}

export function isFormula(content: unknown): content is string {
  return typeof content === "string" && content.startsWith("=");
}

export function blankOf({ rows, cols }: Area): readonly (readonly CellValue[])[] {
  return Array.from({ length: rows }, () => Array<CellValue>(cols).fill(null));
}

function areasOf(candidates: readonly Candidate[]): readonly Area[] {
  return candidates.map(({ area }) => area);
}

function leftFor(reason: string, candidates: readonly Candidate[]): LeftAlone[] {
  return candidates.length === 0 ? [] : [{ reason, cells: candidates.map(({ formula }) => formula) }];
}

async function sift(workbook: Workbook, formulas: readonly FormulaCell[], as: FreezeAs) {
  const closed = new Set(
    (await workbook.sheets()).filter(({ isProtected }) => isProtected).map(({ name }) => name),
  );
  const open = formulas.filter(({ sheet }) => !closed.has(sheet));
  const extents = await workbook.extents(open);
  const whole = open.flatMap((formula, index) => {
    const extent = extents[index];
    return extent === undefined || extent.isSharedArray ? [] : [{ formula, area: areaOf(formula, extent) }];
  });
  const shared = open.filter((_, index) => extents[index]?.isSharedArray ?? false);
  const values = await readAreas(
    workbook,
    whole.map(({ area }) => area),
    "contents",
  );
  const all = whole.map((one): Candidate => ({ ...one, cells: values.get(cellKey(one.area)) ?? [] }));
  // As text it could not be told from a formula that came back.
  const [odd, telling] = split(all, ({ cells }) => isFormula(cells[0]?.[0]));
  const waiting = telling.filter(({ cells }) => pendingIn(cells) > 0);
  if (waiting.length > 0) throw stillWaiting(waiting.length, "freeze");
  const [candidates, fleeting] = split(
    telling,
    ({ cells }) => as === "blank" || cells.every((row) => row.every(canStand)),
  );
  const left: LeftAlone[] = [];
  for (const sheet of closed) {
    const cells = formulas.filter((formula) => formula.sheet === sheet);
    if (cells.length > 0) left.push({ reason: `The sheet "${sheet}" is protected`, cells });
  }
  if (shared.length > 0) {
    left.push({ reason: "Part of an array formula of several cells (Ctrl+Shift+Enter)", cells: shared });
  }
  left.push(...leftFor("Its value begins like a formula", odd));
  left.push(...leftFor("It shows an error that no cell can hold without its formula", fleeting));
  return { candidates, fleeting, left };
}

function split<T>(list: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}

function areaOf(formula: FormulaCell, { rows, cols }: FormulaExtent): Area {
  return { sheet: formula.sheet, row: formula.row, col: formula.col, rows, cols };
}

interface Described {
  readonly candidates: readonly Candidate[];
  readonly frozen: readonly Area[];
  readonly as: FreezeAs;
  /** What the values bring along, by cell. */
  readonly formats: ReadonlyMap<string, string>;
}

async function describe(
  { workbook, register, environmentId, nowMs }: Omit<FreezeTools, "ledger">,
  { candidates, frozen, as, formats }: Described,
): Promise<LedgerEntry[]> {
  const ids = new Map((await workbook.sheets()).map(({ name, id }) => [name, id]));
  const subjects = await subjectsOf(
    workbook,
    candidates.map(({ formula }) => formula),
  );
  const formulas = candidates.map(({ formula }) => formula);
  const frozenKeys = keysOf([...frozen, ...areasOf(candidates)]);
  const refersTo = await referencesOf(workbook, formulas, frozenKeys);
  const heads = await headsOf(workbook, formulas, frozenKeys);
  const writtenAt = new Date(nowMs()).toISOString();
  return candidates.map((candidate, index): LedgerEntry => {
    const {
      formula: { formula, ...ref },
      area,
      cells,
    } = candidate;
    const [bare, quoted] = cellAddresses(ref);
    const use = register.get(bare) ?? register.get(quoted);
    const oldestMs = use?.oldestMs ?? null;
    return {
      ref: { sheet: ref.sheet, row: ref.row, col: ref.col },
      sheetId: ids.get(ref.sheet) ?? "",
      formula,
      r1c1: toR1C1(formula, ref),
      rows: area.rows,
      cols: area.cols,
      digest: digest(as === "values" ? cells : blankOf(area)),
      shown: as === "values" ? String(withoutKind(cells[0]?.[0] ?? null) ?? "") : "",
      store: subjects[index]?.store ?? "",
      item: subjects[index]?.item ?? "",
      asOf: oldestMs === null ? "" : new Date(oldestMs).toISOString(),
      environmentId: use?.environmentId ?? environmentId() ?? "",
      anchor: "",
      refersTo: refersTo[index] ?? "",
      writtenAt,
      head: heads[index] ?? "",
      numberFormat: formattedCells([area], formats)[0]?.numberFormat ?? "",
    };
  });
}
