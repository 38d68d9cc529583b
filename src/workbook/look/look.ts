/**
 * Look: what is known of the selected cell, at once and without a call; what it would cost to know the rest; and
 * asking for that. The engine keeps the answers; here is only which cell is looked at and whether it was asked.
 * Invariant: what is told is of the cell that was selected last, whatever comes back late.
 */
import type { CellRegister } from "../../cells/cell-register";
import { type InvError, toInvError } from "../../domain/errors";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { HistoryAnswer, ItemAnswer } from "../../engine/answer";
import type { Engine, Price } from "../../engine/types";
import { isInvFormula } from "../inv-formulas";
import { invMatcher } from "../inv-names";
import type { CellRef, Workbook } from "../port";
import { type Subject, subjectOfFormula, subjectOfRow } from "./subject";

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

export interface LookOptions {
  readonly cells: CellRegister;
  readonly workbook: Workbook;
  readonly engine: Engine;
}

/** Nothing is read or asked before `follow`. */
export function createLook({ workbook, engine, cells }: LookOptions): Look {
  let cell: CellRef | null = null;
  let subject: Subject | null = null;
  let isLooking = true;
  let isInv = false;
  /** Addresses of the cells whose answer is on its way. */
  const asking = new Set<string>();
  let failed: InvError | null = null;
  let tell: () => void = () => undefined;

  async function look(at: CellRef): Promise<void> {
    cell = at;
    failed = null;
    subject = subjectOfFormula(cells, at);
    isLooking = subject === null;
    tell();
    if (subject !== null) return;
    // A sheet that is gone or cannot be read holds nothing to look at.
    const found = await subjectOfRow(workbook, at).catch(() => null);
    const holdsInv = found === null && (await holdsInvFormula(workbook, at).catch(() => false));
    if (cell !== at) return;
    isInv = holdsInv;
    subject = subjectOfFormula(cells, at) ?? found;
    isLooking = false;
    tell();
  }

  /** The formula may have been calculated since, and ask for something else now. */
  function lookAgain(): void {
    if (cell !== null && !isLooking) {
      const now = subjectOfFormula(cells, cell);
      if (now !== null || subject?.from === "formula") subject = now;
    }
    tell();
  }

  function historyQueryOf({ history, item }: Subject): HistoryQuery | null {
    if (history !== null || item === null) return history;
    const record = engine.known(item);
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
      item: (of.item && engine.known(of.item)) ?? null,
      historyQuery,
      history: (historyQuery && engine.knownHistory(historyQuery)) ?? null,
      price: isAllThere ? null : engine.price(work),
      asking: asking.has(of.address),
      failed,
    };
  }

  async function fetch(of: Subject): Promise<void> {
    const { items, histories } = missing(of);
    asking.add(of.address);
    failed = null;
    tell();
    const asked = [
      ...items.map((query) => engine.item(query, of.address)),
      ...histories.map((query) => engine.history(query, of.address)),
    ];
    const ends = await Promise.allSettled(asked);
    asking.delete(of.address);
    const refused = ends.find((end) => end.status === "rejected");
    if (subject?.address === of.address) failed = refused ? toInvError(refused.reason) : null;
    // The cell must not go on showing an older number than the pane beside it; its answer is fresh now.
    if (of.from === "formula" && items.length > 0) {
      await workbook.recalculate([of.cell]).catch(() => undefined);
    }
    tell();
  }

  return {
    state() {
      if (subject !== null) return foundOf(subject);
      if (isLooking) return { kind: "looking" };
      return cell !== null && isInv ? { kind: "uncalculated", cell } : { kind: "nothing", cell };
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
        for (const stop of stops) stop();
      };
    },
    ask() {
      if (subject !== null && !asking.has(subject.address)) void fetch(subject);
      else if (subject === null && cell !== null && isInv) {
        void workbook.recalculate([cell]).catch(() => undefined);
      }
    },
  };
}

async function holdsInvFormula(workbook: Workbook, cell: CellRef): Promise<boolean> {
  const [[held] = []] = await workbook.read({ ...cell, rows: 1, cols: 1 }, "formulas");
  if (typeof held !== "string" || !held.startsWith("=")) return false;
  return isInvFormula(held) || (await invMatcher(workbook))(held);
}
