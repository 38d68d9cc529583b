/**
 * Which cells a refresh is about: the INV formulas of the workbook as it is now, narrowed to a scope,
 * joined with what the register knows of them. A look at the whole workbook also clears the register of
 * formulas that are gone. Marks nothing and asks nothing.
 */
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import type { CellRegister, CellUse } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import type { Engine, Work } from "../../engine/types";
import { cellKey, contains } from "../addresses";
import { searchFormulas } from "../formula-search";
import type { FormulaCell, Workbook } from "../port";
import { selectedAreas } from "../selected-areas";
import { isOwed, type Target, toTarget, useOf, workOf } from "./targets";

/** `older`: the cells whose values are older than the freshness time. */
export type RefreshScope = "selection" | "sheet" | "workbook" | "older";

export interface ScopesOptions {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

export interface Choice {
  readonly targets: readonly Target[];
  /** What the register knows of those it has seen. */
  readonly uses: readonly CellUse[];
  readonly work: Work;
  /** Formulas not seen yet may ask for anything: whether the service answers is to be tried first. */
  readonly mustProbe: boolean;
}

export interface Scopes {
  choose(scope: RefreshScope): Promise<Choice>;
  /** Those of the targets that still hold an INV formula. */
  again(targets: readonly Target[]): Promise<Choice>;
  /** The same, and of their work only what has not come yet. */
  rest(targets: readonly Target[]): Promise<Choice>;
}

export function createScopes({ workbook, engine, cells, clock }: ScopesOptions): Scopes {
  let finding: Promise<readonly FormulaCell[]> | null = null;

  /** One search at a time: several quotes asked for together share it. */
  function find(): Promise<readonly FormulaCell[]> {
    finding ??= findAll().finally(() => (finding = null));
    return finding;
  }

  function findAll(): Promise<readonly FormulaCell[]> {
    // What begins to calculate during the search may stand where it has looked already.
    const earlier = [...cells.all()].map(({ address }) => address);
    return searchFormulas({ workbook, cells }, () => earlier);
  }

  /** Values past their time, left without an answer, of another environment, or of unknown age. */
  function isOlder(target: Target): boolean {
    const use = useOf(cells, target);
    if (use === undefined || isOwed(use)) return true;
    const environmentId = engine.connection?.environment.id ?? null;
    if (use.environmentId !== environmentId) return true;
    if (use.oldestMs !== null) return clock.now() - use.oldestMs >= engine.settings.freshnessMs;
    return [...use.items, ...use.histories].some((query) => !engine.isFresh(query));
  }

  async function inScope(scope: RefreshScope): Promise<readonly Target[]> {
    if (scope === "workbook") return (await find()).map(toTarget);
    if (scope === "older") return (await find()).map(toTarget).filter(isOlder);
    const areas = await selectedAreas(workbook, clock);
    const onSheet = (await find()).filter(({ sheet }) => sheet === areas[0].sheet);
    // Sifted, not gathered area by area: a formula in two of them counts once.
    const isSelected = (ref: FormulaCell): boolean => areas.some((area) => contains(area, ref));
    return (scope === "sheet" ? onSheet : onSheet.filter(isSelected)).map(toTarget);
  }

  async function stillStanding(targets: readonly Target[]): Promise<readonly Target[]> {
    const standing = new Set((await find()).map(cellKey));
    return targets.filter(({ ref }) => standing.has(cellKey(ref)));
  }

  function withWork(targets: readonly Target[], isWanted?: (query: Query) => boolean): Choice {
    const uses = targets.flatMap((target) => useOf(cells, target) ?? []);
    const mustProbe = uses.length < targets.length;
    return { targets, uses, work: workOf(uses, isWanted), mustProbe };
  }

  const isNotFresh = (query: Query): boolean => !engine.isFresh(query);

  return {
    choose: async (scope) => withWork(await inScope(scope), scope === "older" ? isNotFresh : undefined),
    again: async (targets) => withWork(await stillStanding(targets)),
    rest: async (targets) => withWork(await stillStanding(targets), isNotFresh),
  };
}

type Query = ItemQuery | HistoryQuery;
