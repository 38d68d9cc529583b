/**
 * The cells of a refresh: found before it, and found again after each edit. Then what was known of single ones is dropped, because they
 * may be elsewhere. Edits don't make a refresh larger, unless all cells of its sheets or of the workbook belong to it.
 */
import { queryKey } from "../../domain/query-keys";
import type { RefreshOptions } from "../../engine/types";
import { cellKey } from "../addresses";
import { inTimeSlices } from "../in-time-slices";
import type { OpenCell } from "./marks";
import type { Outcomes } from "./outcomes";
import { invCellOf, type RefreshCell, type RefreshContext, type Scopes } from "./scopes";

export interface RunOptions extends RefreshContext {
  readonly scopes: Pick<Scopes, "findAgain">;
  readonly refreshCells: readonly RefreshCell[];
  /** Where the cells are found again; null for the whole workbook. */
  readonly sheets: readonly string[] | null;
  /** Whether all cells there belong to the refresh, also new ones. */
  readonly isWhole: boolean;
  readonly request: Pick<RefreshOptions, "ageMs" | "continues">;
  /** Returns how often the workbook was edited. */
  edits(): number;
  /** Returns whether cells of this sheet may be elsewhere than at the start. */
  hasMoved(sheet: string): boolean;
  /** The number of edits before the search that found the cells. */
  readonly editsSeen: number;
  onProgress(progress: { readonly cells: number; readonly refreshed: number }): void;
}

export type RunCells = ReturnType<typeof createRunCells>;

export function createRunCells(
  options: RunOptions,
  run: {
    readonly outcomes: Outcomes;
    /** The number of the last calculation before the refresh. */
    readonly calculatedBefore: number;
    mayMark(): boolean;
  },
) {
  const { cells, clock, scopes } = options;
  const { outcomes, calculatedBefore, mayMark } = run;
  const isPart = createIsPart(options);
  let found = options.refreshCells;
  /** Those that weren't refreshed when they were found, or that Excel has calculated since the start: it may show something else. */
  let open: readonly OpenCell[] = [];
  let { editsSeen } = options;

  async function follow(list: readonly RefreshCell[]): Promise<void> {
    found = list;
    const opened: OpenCell[] = [];
    await inTimeSlices(clock, list, (cell) => {
      outcomes.noteSums(cell);
      const isCalculated = (invCellOf(cells, cell)?.recalculation ?? 0) > calculatedBefore;
      const isRefreshed = outcomes.isRefreshed(cell);
      if (isRefreshed && !isCalculated) return;
      opened.push({
        cell,
        marks: 0,
        calculatedBefore,
        shown: undefined,
        refusal: null,
        isReady: false,
        isRefreshed,
      });
    });
    open = opened;
    report();
  }

  function report(): void {
    const waiting = open.filter((each) => !each.isRefreshed).length;
    options.onProgress({ cells: found.length, refreshed: found.length - waiting });
  }

  return {
    found: () => found,
    open: () => open,
    editsSeen: () => editsSeen,
    isEdited: () => options.edits() !== editsSeen,
    report,
    begin: () => follow(options.refreshCells),
    /** Returns whether somebody has edited since the last search, and the cells were found again. */
    async findAgainAfterEdits(): Promise<boolean> {
      if (options.edits() === editsSeen || !mayMark()) return false;
      editsSeen = options.edits();
      const { refreshCells } = await scopes.findAgain(options.sheets);
      const isOwn = await isPart();
      if (!mayMark()) return false;
      await follow(options.isWhole ? refreshCells : refreshCells.filter(isOwn));
      return true;
    },
    /** Returns the unpredictable cells of a part of a sheet where cells have moved: nothing tells which they are now. */
    unfollowed(): readonly RefreshCell[] {
      if (options.isWhole || found === options.refreshCells) return [];
      return options.refreshCells.filter(
        ({ ref, unpredictable }) => unpredictable > 0 && options.hasMoved(ref.sheet),
      );
    },
  };
}

/** Returns a function that tells whether a cell that was found again belongs to the refresh. */
function createIsPart({
  clock,
  refreshCells,
  hasMoved,
}: RunOptions): () => Promise<(cell: RefreshCell) => boolean> {
  let isPart: Promise<(cell: RefreshCell) => boolean> | null = null;

  async function read(): Promise<(cell: RefreshCell) => boolean> {
    const ownKeys = new Set<string>();
    const unpredictablePlaces = new Set<string>();
    await inTimeSlices(clock, refreshCells, ({ ref, queries, unpredictable }) => {
      for (const query of queries) ownKeys.add(queryKey(query));
      if (unpredictable > 0) unpredictablePlaces.add(cellKey(ref));
    });
    return ({ ref, queries, unpredictable }) => {
      const asksForOwn = unpredictable === 0 && queries.every((query) => ownKeys.has(queryKey(query)));
      return asksForOwn || (unpredictablePlaces.has(cellKey(ref)) && !hasMoved(ref.sheet));
    };
  }

  return () => (isPart ??= read());
}
