/**
 * One calculation of one INV formula: asks the engine in the cell's name, and reports to the cell register
 * and the activity list what was asked and how it ended. In a preview of a part of a formula nothing is
 * reported, and nothing asked that would cost a call.
 * Invariant: a cell without a problem in its latest round counts for no reason in the activity list.
 */
import type { HistoryQuery, ItemQuery } from "../domain/records";
import type { Activity } from "../engine/activity";
import type { CellCall } from "../engine/cell-register";
import type { Answer, HistoryAnswer, ItemAnswer } from "../engine/types";
import { spilledAddress } from "./cell-address";
import type { Invocation } from "./host";
import type { FunctionSession } from "./session";
import type { Refusal } from "./values";

/** What a preview shows of a value that would have to be asked for. */
export const previewPlaceholder = "…";

/** Store and item as they were given, and where in the result they stand. */
export interface Place {
  readonly row: number;
  readonly col: number;
  readonly store: string;
  readonly item: string;
}

export interface Call {
  readonly session: FunctionSession;
  /** Null where this is a preview and the answer is not at hand. */
  item(query: ItemQuery): Promise<ItemAnswer> | null;
  history(query: HistoryQuery): Promise<HistoryAnswer> | null;
  /** When INV's record of the item was fetched: the one at hand, else the one that is on its way or asked for now. */
  record(query: ItemQuery): Promise<ItemAnswer> | null;
  answered(answer: Answer<unknown>): void;
  failed(refusal: Refusal, place: Place): void;
  settled(): void;
}

export function beginCall(session: FunctionSession, { address, isPreview }: Invocation): Call {
  const { engine } = session;
  const report = isPreview ? null : beginReport(session, address);
  const cell = address ?? undefined;
  const mayAsk = (query: ItemQuery | HistoryQuery): boolean => !isPreview || engine.isFresh(query);
  return {
    session,
    item(query) {
      if (!mayAsk(query)) return null;
      report?.cell.item(query);
      return engine.item(query, cell);
    },
    history(query) {
      if (!mayAsk(query)) return null;
      report?.cell.history(query);
      return engine.history(query, cell);
    },
    record(query) {
      const known = engine.known(query);
      report?.cell.item(query);
      if (known !== undefined && (isPreview || engine.isFresh(query))) return Promise.resolve(known);
      if (isPreview) return null;
      if (known === undefined) return engine.item(query, cell);
      return isBusyAfterBurst(session).then((isBusy) => (isBusy ? engine.item(query, cell) : known));
    },
    answered: (answer) => report?.cell.answered(answer.fetchedAtMs, answer.staleBecause),
    failed: (refusal, place) => report?.failed(refusal, place),
    settled: () => report?.settled(),
  };
}

interface Report {
  readonly cell: CellCall;
  failed(refusal: Refusal, place: Place): void;
  settled(): void;
}

/** The cells in trouble of one formula, which may spill over many: in its latest round, and in the one before. */
interface Trouble {
  before: ReadonlySet<string>;
  now: Set<string>;
}

const noCells: ReadonlySet<string> = new Set();
const troubleOf = new WeakMap<Activity, Map<string, Trouble>>();

function beginReport(session: FunctionSession, address: string | null): Report {
  const { activity, cells } = session;
  const troubles = troublesIn(activity);
  if (address !== null && cells.get(address)?.state !== "waiting") {
    const earlier = troubles.get(address);
    if (earlier !== undefined) troubles.set(address, { before: earlier.now, now: new Set() });
  }
  const cell = cells.begin(address, session.environmentId());

  return {
    cell,
    failed({ error }, { row, col, store, item }) {
      cell.failed(error);
      const place = address === null ? null : spilledAddress(address, row, col);
      activity.record({ atMs: session.now(), cell: place, store, item, error });
      if (address === null || place === null) return;
      const trouble = troubles.get(address) ?? { before: noCells, now: new Set() };
      trouble.now.add(place);
      troubles.set(address, trouble);
    },
    settled() {
      cell.settled();
      if (address === null || cells.get(address)?.state === "waiting") return;
      const trouble = troubles.get(address);
      if (trouble === undefined) return;
      for (const place of trouble.before) if (!trouble.now.has(place)) activity.resolved(place);
      if (trouble.now.size === 0) troubles.delete(address);
      else trouble.before = noCells;
    },
  };
}

function troublesIn(activity: Activity): Map<string, Trouble> {
  const known = troubleOf.get(activity);
  if (known !== undefined) return known;
  const created = new Map<string, Trouble>();
  troubleOf.set(activity, created);
  return created;
}

const bursts = new WeakMap<FunctionSession, Promise<boolean>>();

/**
 * Whether the engine has work once this burst of calls is over. A record that is no longer fresh is asked
 * for again only then: most likely the quantity beside it is being fetched in the same burst, and the two
 * must not tell of different records. On its own, reading the time of a record never makes a call.
 */
function isBusyAfterBurst(session: FunctionSession): Promise<boolean> {
  const shared = bursts.get(session);
  if (shared !== undefined) return shared;
  // One question per burst: microtasks run when the host's loop over its cells has ended.
  const asked = Promise.resolve().then(() => {
    bursts.delete(session);
    return session.engine.progress().busy;
  });
  bursts.set(session, asked);
  return asked;
}
