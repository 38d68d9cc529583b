/**
 * Inspection: shows at once and without a request what INV knows about the selected cell. It also prices what is missing, and
 * requests it on demand. The engine keeps the answers; this file keeps the selected cell and its requests under way. Invariant:
 * the state belongs to the cell that was selected last; late results are dropped.
 */
import { queriesOf } from "../../cells/cell-record";
import { type InvError, toInvError } from "../../domain/errors";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import { unawaited } from "../../domain/unawaited";
import type { Engine, HistoryAnswer, ItemAnswer, Price } from "../../engine/types";
import { cellAddresses } from "../addresses";
import { isInvFormula } from "../../formula/calls";
import { invMatcher } from "../formula-search";
import type { CellRef, CellValue, Workbook } from "../port";
import { fillerOf, registeredSpills, otherSpills } from "../spills";
import type { PlaceOptions } from "./spilled";
import { problemOf, type InspectedCell, inspectFormula, inspectRow } from "./inspected-cell";

type LookState =
  | { readonly kind: "looking" }
  /** The cell is neither an INV formula nor in a row with a store and an item. */
  | { readonly kind: "nothing"; readonly cell: CellRef | null }
  /** An INV formula that the host hasn't calculated in this session. */
  | { readonly kind: "uncalculated"; readonly cell: CellRef }
  | Found;

export interface Found {
  readonly kind: "found";
  readonly inspectedCell: InspectedCell;
  readonly item: ItemAnswer | null;
  /** The history to show or request; null without a GTIN. */
  readonly historyQuery: HistoryQuery | null;
  readonly history: HistoryAnswer | null;
  /** Price of everything that is missing or stale; null if nothing is. */
  readonly price: Price | null;
  readonly asking: boolean;
  readonly failed: InvError | null;
}

export interface Inspection {
  state(): LookState;
  /** Calls the listener at every change. Returns a function that stops following the workbook. */
  follow(listener: () => void): () => void;
  /** Requests what is missing or stale. Recalculates a formula that wasn't calculated. */
  ask(): void;
}

/** A calculating sheet causes many notifications a second. */
const settleMs = 300;

/** Creates the inspection. It reads and requests nothing before `follow`. */
export function createInspection(options: PlaceOptions & { readonly engine: Engine }): Inspection {
  const { workbook, engine, cells, clock } = options;
  let cell: CellRef | null = null;
  let inspectedCell: InspectedCell | null = null;
  let isSpilled = false;
  let recalculationRead = 0;
  let timer: unknown = null;
  let isLooking = true;
  let isFormula = false;
  /** Keys of inspected cells with a request under way. */
  const asking = new Set<string>();
  let failed: InvError | null = null;
  let tell: () => void = () => undefined;

  async function look(at: CellRef): Promise<void> {
    cell = at;
    failed = null;
    inspectedCell = inspectFormula(cells, at);
    isSpilled = false;
    isLooking = inspectedCell === null;
    tell();
    if (!isWhole(inspectedCell)) await read(at);
  }

  async function read(at: CellRef): Promise<void> {
    // A sheet that was deleted or can't be read isn't inspected.
    const content = await contentOf(workbook, at).catch(() => null);
    const registered = await inspectSpill(at, content, "registered").catch(() => null);
    const before = inspectedCell?.from === "formula" ? inspectedCell : null;
    const row =
      registered === null && before === null ? await inspectRow(workbook, at).catch(() => null) : null;
    const isOpen = registered === null && before === null && row === null;
    const placed = isOpen ? await inspectSpill(at, content, "other").catch(() => null) : registered;
    const isInvCell = isOpen && placed === null && (await callsInv(content).catch(() => false));
    if (cell !== at) return;
    isFormula = isInvCell;
    isSpilled = placed !== null;
    inspectedCell = placed ?? inspectFormula(cells, at) ?? row;
    recalculationRead = inspectedCell === null ? 0 : recalculationOf(inspectedCell);
    isLooking = false;
    tell();
  }

  /** Reads after a delay, because results reach their cells a little later. */
  function readSoon(at: CellRef): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => {
      unawaited(workbook.calculated().then(() => (cell === at ? read(at) : undefined)));
    }, settleMs);
  }

  /** Inspects a cell that a spilled formula has filled. Returns null for any other cell. */
  async function inspectSpill(
    at: CellRef,
    content: CellValue,
    which: "registered" | "other",
  ): Promise<InspectedCell | null> {
    if (content === null) return null;
    const spills = await (which === "registered"
      ? registeredSpills(workbook, cells, at)
      : otherSpills(workbook, at));
    if (fillerOf(spills, at) === null) return null;
    // Load this only for the first such cell, because few cells are part of a larger result.
    const { inspectFilledCell } = await import(/* webpackChunkName: "spilled" */ "./spilled");
    return inspectFilledCell(options, spills, at);
  }

  async function callsInv(content: CellValue): Promise<boolean> {
    if (typeof content !== "string" || !content.startsWith("=")) return false;
    return isInvFormula(content) || (await invMatcher(workbook))(content);
  }

  function recalculationOf({ address }: InspectedCell): number {
    return cells.get(address)?.recalculation ?? 0;
  }

  /** Inspects the cell again: the formula may have been calculated again, with other arguments. */
  function lookAgain(): void {
    if (cell !== null && !isLooking) {
      if (inspectedCell !== null && isSpilled) {
        const problem = problemOf(cells.problemList, cellAddresses(cell));
        inspectedCell = { ...inspectedCell, invCell: cells.get(inspectedCell.address) ?? null, problem };
      } else {
        const now = inspectFormula(cells, cell);
        if (now !== null || inspectedCell?.from === "formula") inspectedCell = now;
      }
      const isStill = inspectedCell !== null && recalculationOf(inspectedCell) === recalculationRead;
      if (!isStill && (isSpilled || !isWhole(inspectedCell))) readSoon(cell);
    }
    tell();
  }

  function historyQueryOf({ history, item }: InspectedCell): HistoryQuery | null {
    if (history !== null || item === null) return history;
    const record = engine.cachedItem(item);
    const gtin = record?.found ? record.value.gtin : null;
    return gtin === null ? null : { storeNumber: item.storeNumber, gtin };
  }

  function missing(of: InspectedCell): { items: ItemQuery[]; histories: HistoryQuery[] } {
    const history = historyQueryOf(of);
    return {
      items: of.item === null || engine.isFresh(of.item) ? [] : [of.item],
      histories: history === null || engine.isFresh(history) ? [] : [history],
    };
  }

  function foundOf(of: InspectedCell): Found {
    const historyQuery = historyQueryOf(of);
    const work = missing(of);
    const isAllThere = work.items.length + work.histories.length === 0;
    return {
      kind: "found",
      inspectedCell: of,
      item: (of.item && engine.cachedItem(of.item)) ?? null,
      historyQuery,
      history: (historyQuery && engine.cachedHistory(historyQuery)) ?? null,
      price: isAllThere ? null : engine.price(work),
      asking: asking.has(keyOf(of)),
      failed,
    };
  }

  async function fetch(of: InspectedCell): Promise<void> {
    const { items, histories } = missing(of);
    asking.add(keyOf(of));
    failed = null;
    tell();
    const requests = [
      ...items.map((query) => engine.item(query, of.address)),
      ...histories.map((query) => engine.history(query, of.address)),
    ];
    const ends = await Promise.allSettled(requests);
    asking.delete(keyOf(of));
    const refused = ends.find((end) => end.status === "rejected");
    const isStillSeen = inspectedCell !== null && keyOf(inspectedCell) === keyOf(of);
    if (isStillSeen) failed = refused ? toInvError(refused.reason) : null;
    // Recalculate, so that the cell shows the same number as the pane. Skip a formula with other stale items, because the price
    // didn't include their requests.
    if (
      of.invCell !== null &&
      items.length > 0 &&
      queriesOf(of.invCell).every((query) => engine.isFresh(query))
    ) {
      await workbook.recalculate([of.cell]).catch(() => undefined);
    }
    tell();
  }

  return {
    state() {
      if (inspectedCell !== null) return foundOf(inspectedCell);
      if (isLooking) return { kind: "looking" };
      return cell !== null && isFormula ? { kind: "uncalculated", cell } : { kind: "nothing", cell };
    },
    follow(listener) {
      tell = listener;
      const stops = [
        workbook.onSelection(([{ sheet, row, col }]) => unawaited(look({ sheet, row, col }))),
        cells.subscribe(lookAgain),
        engine.subscribe(() => tell()),
      ];
      return () => {
        tell = () => undefined;
        clock.clearTimeout(timer);
        for (const stop of stops) stop();
      };
    },
    ask() {
      if (inspectedCell !== null && !asking.has(keyOf(inspectedCell))) unawaited(fetch(inspectedCell));
      else if (inspectedCell === null && cell !== null && isFormula) {
        workbook.recalculate([cell]).catch(() => undefined);
      }
    },
  };
}

async function contentOf(workbook: Workbook, cell: CellRef): Promise<CellValue> {
  const [[content = null] = []] = await workbook.read({ ...cell, rows: 1, cols: 1 }, "formulas");
  return content;
}

/** Returns whether the cell is inspected completely without the sheet: the formula makes one query, for this cell alone. */
function isWhole(inspectedCell: InspectedCell | null): boolean {
  if (inspectedCell === null) return false;
  const { invCell, others, from, problem } = inspectedCell;
  return from === "row" || (invCell !== null && others === 0 && problem === null);
}

function keyOf({ address, item, history }: InspectedCell): string {
  return JSON.stringify([address, item, history]);
}
