/**
 * Why queries have no answer: the only list of them. Whoever asked, a cell or a refresh, the reason is that of the latest request; an
 * answer removes it. A reason outlives its connection, because the cells of that environment still show what they showed.
 */
import { type InvError, isUnanswered } from "../domain/errors";
import { groupKey, historyKey, isHistory, wholeHistoryKey } from "../domain/query-keys";
import type { HistoryQuery, Query } from "../domain/records";

export interface UnansweredQueries {
  /**
   * Returns why the latest request for this query had no answer; null if it had one, or nobody has asked.
   * @param environmentId the environment of the query; by default the current one
   */
  because(query: Query, environmentId?: string | null): InvError | null;
  /** Returns the histories of an item whose latest request had no answer, whatever their dates and types. */
  historiesOf(item: Pick<HistoryQuery, "storeNumber" | "gtin">): readonly HistoryQuery[];
  /** How many queries have a reason, in all environments. */
  readonly size: number;
  /** Grows with each change, so that readers know when to look again. */
  readonly version: number;
}

interface Reason {
  readonly query: Query;
  readonly because: InvError;
}

/** Creates the list for all environments. */
export function createUnanswered(currentEnvironment: () => string | null) {
  /** By environment, then by store or item, then by what is unique there. */
  const environments = new Map<string | null, Map<number | string, Map<string, Reason>>>();
  let size = 0;
  let version = 0;

  function groupOf(query: Query, environmentId: string | null): Map<string, Reason> | undefined {
    return environments.get(environmentId)?.get(outerKey(query));
  }

  function remove(group: Map<string, Reason>, key: string): void {
    if (!group.delete(key)) return;
    size -= 1;
    version += 1;
  }

  const queries: UnansweredQueries = {
    because(query, environmentId = currentEnvironment()) {
      if (size === 0) return null;
      return groupOf(query, environmentId)?.get(innerKey(query))?.because ?? null;
    },
    historiesOf(item) {
      const group = size === 0 ? undefined : groupOf(item, currentEnvironment());
      return [...(group?.values() ?? [])].map(({ query }) => query as HistoryQuery);
    },
    get size() {
      return size;
    },
    get version() {
      return version;
    },
  };

  function forget(query: Query, environmentId: string | null): void {
    const group = size === 0 ? undefined : groupOf(query, environmentId);
    if (group === undefined) return;
    remove(group, innerKey(query));
    if (!isHistory(query) || query.eventType !== undefined) return;
    for (const [key, { query: part }] of group) {
      if (wholeHistoryKey(part as HistoryQuery) === historyKey(query)) remove(group, key);
    }
  }

  return {
    queries,
    /** Keeps why the latest request for the query had no answer. A refusal of the request itself counts as one. */
    note(query: Query, because: InvError, environmentId: string | null): void {
      if (!isUnanswered(because.code)) {
        forget(query, environmentId);
        return;
      }
      const groups = environments.get(environmentId) ?? new Map<number | string, Map<string, Reason>>();
      environments.set(environmentId, groups);
      const group = groups.get(outerKey(query)) ?? new Map<string, Reason>();
      groups.set(outerKey(query), group);
      const before = group.get(innerKey(query));
      if (before?.because === because) return;
      if (before === undefined) size += 1;
      version += 1;
      group.set(innerKey(query), { query, because });
    },
    /** Called with each answer. One for all event types of a history answers also its parts. */
    forget,
  };
}

export type Unanswered = ReturnType<typeof createUnanswered>;

function outerKey(query: Query): number | string {
  return isHistory(query)
    ? `${query.storeNumber}|${query.gtin}`
    : groupKey(query.storeNumber, query.itemType);
}

function innerKey(query: Query): string {
  return isHistory(query) ? historyKey(query) : query.value;
}
