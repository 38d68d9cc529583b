/**
 * A refresh, up to the moment when cells may be marked dirty: one call that succeeds, then the epoch. The
 * call is a real one of the work (the first items of one store, or a history), so that it costs nothing
 * extra. Only when it has been answered are the other answers outdated and put in line, so a
 * refresh that cannot succeed changes nothing.
 */
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import type { Call } from "./send/call";
import type { Desk } from "./send/desk";
import { itemsPerCall } from "./items/group-lines";
import type { Groups } from "./items/groups";
import type { HistoryJobs } from "./histories/history-jobs";
import { historyKey, wholeHistoryKey } from "./histories/history-key";
import type { HistoryLane } from "./histories/history-lane";
import type { ItemLane } from "./items/item-lane";
import type { Proof } from "./items/search-call";
import type { ItemAnswer, Work } from "./types";

export interface RefreshTools {
  readonly groups: Groups;
  readonly items: ItemLane;
  readonly jobs: HistoryJobs;
  readonly histories: HistoryLane;
  readonly searchDesk: Desk;
  readonly eventsDesk: Desk;
  /** A call for nothing, when there is no work to make a real one of. */
  readonly harmlessCall: (proof: Proof) => Call;
  readonly decide: () => void;
}

/** Resolves when the epoch has begun; rejects with the reason, and then nothing has changed. */
export async function beginRefresh(tools: RefreshTools, work: Work | "everything"): Promise<void> {
  const { items, histories } = work === "everything" ? allKnown(tools) : work;
  const group = firstGroup(items);
  const history = group.length > 0 ? undefined : firstHistory(histories);
  const before = new Map(group.map((query) => [query.value, answerOf(tools, query)]));

  if (group[0] !== undefined) await proveByItems(tools, group[0], [...before.keys()]);
  else if (history !== undefined) await proveByHistory(tools, history);
  else await prove(tools, tools.searchDesk, tools.harmlessCall);

  // What the first call answered belongs to the new epoch already.
  const isDone = (query: ItemQuery) =>
    before.has(query.value) &&
    isSameGroup(query, group[0]) &&
    answerOf(tools, query) !== before.get(query.value);
  const doneKey = history === undefined ? null : historyKey(history);
  if (work === "everything") {
    tools.items.outdateAll(isDone);
    tools.jobs.outdateAll(doneKey);
  } else {
    tools.items.refresh(items.filter((query) => !isDone(query)));
    tools.histories.refresh(histories, doneKey);
  }
}

function proveByItems(tools: RefreshTools, first: ItemQuery, values: readonly string[]): Promise<void> {
  return prove(tools, tools.searchDesk, (proof) => {
    const group = tools.groups.of(first.storeNumber, first.itemType);
    return tools.items.probe(group, values, proof);
  });
}

function proveByHistory(tools: RefreshTools, query: HistoryQuery): Promise<void> {
  return prove(tools, tools.eventsDesk, (proof) => tools.histories.probe(query, proof));
}

function prove(tools: RefreshTools, desk: Desk, makeCall: (proof: Proof) => Call): Promise<void> {
  const fault = desk.fault();
  if (fault !== null) return Promise.reject(fault);
  return new Promise((resolve, reject: (error: InvError) => void) => {
    desk.insert(makeCall((error) => (error === null ? resolve() : reject(error))));
    tools.decide();
  });
}

/** Enough of what is known to make the first call of. */
function allKnown({ groups, jobs }: RefreshTools): Work {
  for (const { storeNumber, itemType, entries } of groups.all()) {
    const items = [...entries.keys()].slice(0, itemsPerCall);
    if (items.length > 0) {
      return { items: items.map((value) => ({ storeNumber, itemType, value })), histories: [] };
    }
  }
  return { items: [], histories: [...jobs.known()] };
}

/** The first call's worth of the first item's group, each item once. */
function firstGroup(items: readonly ItemQuery[]): readonly ItemQuery[] {
  const group = new Map<string, ItemQuery>();
  for (const query of items) {
    if (isSameGroup(query, items[0])) group.set(query.value, query);
    if (group.size === itemsPerCall) break;
  }
  return [...group.values()];
}

/** The first that needs a call of its own: one for a single event type is part of its whole one. */
function firstHistory(histories: readonly HistoryQuery[]): HistoryQuery | undefined {
  const first = histories[0];
  return first && (histories.find((query) => historyKey(query) === wholeHistoryKey(first)) ?? first);
}

function answerOf({ groups }: RefreshTools, query: ItemQuery): ItemAnswer | null {
  return groups.find(query)?.entries.get(query.value)?.answer ?? null;
}

function isSameGroup(query: ItemQuery, other: ItemQuery | undefined): boolean {
  return query.storeNumber === other?.storeNumber && query.itemType === other.itemType;
}
