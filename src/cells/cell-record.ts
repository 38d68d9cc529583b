/**
 * One cell of the register: what its calls asked for in their latest round, and what they ended with. Kept
 * small, since a workbook may hold 200,000: what few cells have stands in a record of its own.
 */
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery, Query } from "../domain/records";
import { isHistory, itemKey } from "../domain/query-keys";
import { leavesOwed, type Trouble, troubleOf } from "./trouble";

export type CellState = "waiting" | "value" | "stale" | "problem";

/** One INV formula cell. A range formula asks for many items; a formula may hold several INV calls. */
export interface CellUse {
  /** As the host spells it: `Sheet1!A1`, `'My sheet'!A1`. */
  readonly address: string;
  /** Nothing, one query, or several; see `queriesOf`. A list for each cell would be a third of its record. */
  readonly asked: Query | readonly Query[] | null;
  /** Id of the environment it was last calculated in. */
  readonly environmentId: string | null;
  readonly state: CellState;
  /** Counts up over all cells as their rounds begin, from 1: a later round has another number. 0 once forgotten. */
  readonly calculation: number;
  /** The first problem of the cell, for state `problem` and `stale`. */
  readonly error: InvError | null;
  /**
   * Why an answer is still owed to it: nobody answered, and it shows that reason or its last known answer,
   * which may be a "no". Null when all it asked for was answered.
   */
  readonly owedBecause: InvError | null;
  /** Keys of the items that were not answered; null where these are all that it asks for, or none. */
  readonly unansweredItems: ReadonlySet<string> | null;
  /** It says whether values are stale: `INV.STATUS` with its last argument. */
  readonly isStaleMark: boolean;
  /** Fetch times of the values it shows; null while there is none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
}

/** Store and item as they were given, and where in the result they stand. */
export interface ResultPlace {
  readonly row: number;
  readonly col: number;
  readonly store: string;
  readonly item: string;
}

/** One calculation of one INV function in a cell, reported by the function itself. */
export interface CellCall {
  /** Null where the host did not tell it. */
  readonly address: string | null;
  asks(query: Query): void;
  /** A value came; `staleBecause` when it is the last known one. */
  answered(fetchedAtMs: number, staleBecause?: InvError): void;
  /** Nobody answered this query, whatever is shown in place of its answer. */
  unanswered(query: Query, because: InvError): void;
  /** The cell says whether values are stale, so it is calculated again after each refresh. */
  marksStale(): void;
  /** The place is the formula's own, and no item, unless given. */
  failed(error: InvError, place?: ResultPlace): void;
  /** The call is over; nothing more is reported. */
  settled(): void;
}

/** How calls of a cell that fail or are over change the register. */
export interface CellEnds {
  failed(cell: CellRecord, error: InvError, place: ResultPlace | undefined): void;
  settled(cell: CellRecord): void;
}

/** A cell as it is kept: readers see a CellUse, the cell's calls a CellCall. */
export class CellRecord implements CellUse, CellCall {
  address: string;
  asked: Query | Query[] | null = null;
  environmentId: string | null = null;
  state: CellState = "waiting";
  isStaleMark = false;
  calculation = 0;
  oldestMs: number | null = null;
  newestMs: number | null = null;
  openCalls = 0;
  trouble: Trouble | null = null;
  private readonly ends: CellEnds;

  constructor(address: string, ends: CellEnds) {
    this.address = address;
    this.ends = ends;
  }

  get error(): InvError | null {
    return this.trouble === null ? null : this.trouble.error;
  }

  get owedBecause(): InvError | null {
    return this.trouble === null ? null : this.trouble.owedBecause;
  }

  get unansweredItems(): ReadonlySet<string> | null {
    return this.trouble === null ? null : this.trouble.unansweredItems;
  }

  asks(query: Query): void {
    const { asked } = this;
    if (asked === null) this.asked = query;
    else if (isList(asked)) asked.push(query);
    else this.asked = [asked, query];
  }

  answered(fetchedAtMs: number, staleBecause?: InvError): void {
    if (this.oldestMs === null || fetchedAtMs < this.oldestMs) this.oldestMs = fetchedAtMs;
    if (this.newestMs === null || fetchedAtMs > this.newestMs) this.newestMs = fetchedAtMs;
    if (staleBecause === undefined) return;
    const trouble = troubleOf(this);
    trouble.error ??= staleBecause;
    trouble.owedBecause ??= staleBecause;
  }

  unanswered(query: Query, because: InvError): void {
    if (!leavesOwed(because.code)) return;
    const trouble = troubleOf(this);
    trouble.unansweredItems ??= new Set();
    trouble.unansweredItems.add(itemKey(query));
  }

  marksStale(): void {
    this.isStaleMark = true;
  }

  failed(error: InvError, place?: ResultPlace): void {
    this.ends.failed(this, error, place);
  }

  settled(): void {
    this.ends.settled(this);
  }
}

const nothing: readonly Query[] = [];

/** What a cell asked for. */
export function queriesOf({ asked }: Pick<CellUse, "asked">): readonly Query[] {
  if (asked === null) return nothing;
  return isList(asked) ? asked : [asked];
}

/** The same, for going through 200,000 cells. */
export function visitQueries({ asked }: Pick<CellUse, "asked">, visit: (query: Query) => void): void {
  if (asked === null) return;
  if (isList(asked)) asked.forEach(visit);
  else visit(asked);
}

export function itemsOf(use: Pick<CellUse, "asked">): readonly ItemQuery[] {
  return queriesOf(use).filter((query): query is ItemQuery => !isHistory(query));
}

export function historiesOf(use: Pick<CellUse, "asked">): readonly HistoryQuery[] {
  return queriesOf(use).filter(isHistory);
}

function isList<T>(asked: Query | T): asked is T {
  return Array.isArray(asked);
}

/** Forgets what the round before asked for and how it ended. */
export function startRound(cell: CellRecord): void {
  const troubled = cell.trouble?.cells ?? null;
  cell.asked = null;
  cell.isStaleMark = false;
  cell.oldestMs = null;
  cell.newestMs = null;
  cell.trouble = null;
  if (troubled !== null) troubleOf(cell).cellsBefore = troubled;
}
