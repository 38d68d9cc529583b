/**
 * Look: what is known of the selected cell, at once and without a call; what it would cost to know the rest; and
 * asking for that. The engine keeps the answers; here is only which cell is looked at and whether it was asked.
 * Invariant: what is told is of the cell that was selected last, whatever comes back late.
 */
import { queriesOf } from "../../cells/cell-record";
import { type InvError, toInvError } from "../../domain/errors";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { HistoryAnswer, ItemAnswer } from "../../engine/answer";
import type { Price } from "../../engine/types";
import { cellAddresses } from "../addresses";
import { isInvFormula } from "../../formula/calls";
import { invMatcher } from "../formula-search";
import type { CellRef, CellValue, Workbook } from "../port";
import { fillerOf, knownSpills, otherSpills } from "../spills";
import type { PlaceOptions } from "./spilled";
import { problemOf, type Subject, subjectOfFormula, subjectOfRow } from "./subject";

export type LookState =
  | { readonly kind: "looking" }
  /** Neither an INV formula nor a row with a store and an item. */
  | { readonly kind: "nothing"; readonly cell: CellRef | null }
  /** An INV formula that the host has not calculated in this session, or cannot. */
  | { readonly kind: "uncalculated"; readonly cell: CellRef }
  | Found;

export interface Found {
  readonly kind: "found";
  readonly subject: Subject;
  readonly item: ItemAnswer | null;
  /** The history that is shown, or would be asked for; null where there is no GTIN to ask with. */
  readonly historyQuery: HistoryQuery | null;
  readonly history: HistoryAnswer | null;
  /** What asking for all that is missing or no longer fresh costs; null where nothing is. */
  readonly price: Price | null;
  readonly asking: boolean;
  /** Why the last asking of this cell brought nothing. */
  readonly failed: InvError | null;
}

export interface Look {
  state(): LookState;
  /** Told when there is something else to see. Returns the way to stop following the workbook. */
  follow(listener: () => void): () => void;
  /** Asks for what is missing or no longer fresh; a formula that was not calculated is. */
  ask(): void;
}

/** A sheet that calculates tells of it many times a second. */
const settleMs = 300;

/** Nothing is read or asked before `follow`. */
export function createLook({ workbook, engine, cells, clock, functions }: PlaceOptions): Look {
  let cell: CellRef | null = null;
  let subject: Subject | null = null;
  /** A formula has filled the cell together with others; which round of it was read. */
  let isPlaced = false;
  let roundRead = 0;
  let timer: unknown = null;
  let isLooking = true;
  let isFormula = false;
  /** The cells whose answer is on its way, by what was asked for each. */
  const asking = new Set<string>();
  let failed: InvError | null = null;
  let tell: () => void = () => undefined;

  async function look(at: CellRef): Promise<void> {
    cell = at;
    failed = null;
    subject = subjectOfFormula(cells, at);
    isPlaced = false;
    isLooking = subject === null;
    tell();
    if (!isWhole(subject)) await read(at);
  }

  /** What only the sheet can tell. */
  async function read(at: CellRef): Promise<void> {
    // A sheet that is gone or cannot be read holds nothing to look at.
    const held = await contentOf(workbook, at).catch(() => null);
    const known = await placedAt(at, held, "known").catch(() => null);
    const before = subject?.from === "formula" ? subject : null;
    const row = known === null && before === null ? await subjectOfRow(workbook, at).catch(() => null) : null;
    const isOpen = known === null && before === null && row === null;
    const placed = isOpen ? await placedAt(at, held, "other").catch(() => null) : known;
    const holdsInv = isOpen && placed === null && (await isInv(held).catch(() => false));
    if (cell !== at) return;
    isFormula = holdsInv;
    isPlaced = placed !== null;
    subject = placed ?? subjectOfFormula(cells, at) ?? row;
    roundRead = subject === null ? 0 : roundOf(subject);
    isLooking = false;
    tell();
  }

  /** What functions have returned stands in its cells a little later. */
  function readSoon(at: CellRef): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => {
      void workbook.calculated().then(() => (cell === at ? read(at) : undefined));
    }, settleMs);
  }

  /** The subject of a cell that a formula has filled together with others; null for any other cell. */
  async function placedAt(at: CellRef, held: CellValue, which: "known" | "other"): Promise<Subject | null> {
    if (held === null) return null;
    const spills = await (which === "known" ? knownSpills(workbook, cells, at) : otherSpills(workbook, at));
    if (fillerOf(spills, at) === null) return null;
    // Few cells are places of a larger result: what reads their formulas comes with the first.
    const { subjectAt } = await import(/* webpackChunkName: "look-place" */ "./spilled");
    return subjectAt({ workbook, cells, engine, clock, functions }, spills, at);
  }

  async function isInv(held: CellValue): Promise<boolean> {
    if (typeof held !== "string" || !held.startsWith("=")) return false;
    return isInvFormula(held) || (await invMatcher(workbook))(held);
  }

  function roundOf({ address }: Subject): number {
    return cells.get(address)?.calculation ?? 0;
  }

  /** The formula may have been calculated since, and ask for something else now. */
  function lookAgain(): void {
    if (cell !== null && !isLooking) {
      if (subject !== null && isPlaced) {
        const problem = problemOf(cells.activity, cellAddresses(cell));
        subject = { ...subject, use: cells.get(subject.address) ?? null, problem };
      } else {
        const now = subjectOfFormula(cells, cell);
        if (now !== null || subject?.from === "formula") subject = now;
      }
      const isStill = subject !== null && roundOf(subject) === roundRead;
      if (!isStill && (isPlaced || !isWhole(subject))) readSoon(cell);
    }
    tell();
  }

  function historyQueryOf({ history, item }: Subject): HistoryQuery | null {
    if (history !== null || item === null) return history;
    const record = engine.cachedItem(item);
    const gtin = record?.found ? record.value.gtin : null;
    return gtin === null ? null : { storeNumber: item.storeNumber, gtin };
  }

  function missing(of: Subject): { items: ItemQuery[]; histories: HistoryQuery[] } {
    const history = historyQueryOf(of);
    return {
      items: of.item === null || engine.isFresh(of.item) ? [] : [of.item],
      histories: history === null || engine.isFresh(history) ? [] : [history],
    };
  }

  function foundOf(of: Subject): Found {
    const historyQuery = historyQueryOf(of);
    const work = missing(of);
    const isAllThere = work.items.length + work.histories.length === 0;
    return {
      kind: "found",
      subject: of,
      item: (of.item && engine.cachedItem(of.item)) ?? null,
      historyQuery,
      history: (historyQuery && engine.cachedHistory(historyQuery)) ?? null,
      price: isAllThere ? null : engine.price(work),
      asking: asking.has(keyOf(of)),
      failed,
    };
  }

  async function fetch(of: Subject): Promise<void> {
    const { items, histories } = missing(of);
    asking.add(keyOf(of));
    failed = null;
    tell();
    const asked = [
      ...items.map((query) => engine.item(query, of.address)),
      ...histories.map((query) => engine.history(query, of.address)),
    ];
    const ends = await Promise.allSettled(asked);
    asking.delete(keyOf(of));
    const refused = ends.find((end) => end.status === "rejected");
    const isStillSeen = subject !== null && keyOf(subject) === keyOf(of);
    if (isStillSeen) failed = refused ? toInvError(refused.reason) : null;
    // The cell must not go on showing an older number than the pane beside it; its answer is fresh now. A formula
    // that would ask for others too is left: that was not the price said.
    if (of.use !== null && items.length > 0 && queriesOf(of.use).every((query) => engine.isFresh(query))) {
      await workbook.recalculate([of.cell]).catch(() => undefined);
    }
    tell();
  }

  return {
    state() {
      if (subject !== null) return foundOf(subject);
      if (isLooking) return { kind: "looking" };
      return cell !== null && isFormula ? { kind: "uncalculated", cell } : { kind: "nothing", cell };
    },
    follow(listener) {
      tell = listener;
      const stops = [
        workbook.onSelection(([{ sheet, row, col }]) => void look({ sheet, row, col })),
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
      if (subject !== null && !asking.has(keyOf(subject))) void fetch(subject);
      else if (subject === null && cell !== null && isFormula) {
        void workbook.recalculate([cell]).catch(() => undefined);
      }
    },
  };
}

async function contentOf(workbook: Workbook, cell: CellRef): Promise<CellValue> {
  const [[held = null] = []] = await workbook.read({ ...cell, rows: 1, cols: 1 }, "formulas");
  return held;
}

/** The formula asks one question, and it is the cell's own; a refused place may belong to a larger result. */
function isWhole(subject: Subject | null): boolean {
  if (subject === null) return false;
  const { use, others, from, problem } = subject;
  return from === "row" || (use !== null && others === 0 && problem === null);
}

function keyOf({ address, item, history }: Subject): string {
  return JSON.stringify([address, item, history]);
}
