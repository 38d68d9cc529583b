/**
 * The activity list: the last 500 requests that ended without a value, and how many cells show each
 * reason. The functions write it, the pane shows it, because Excel often hides the text of an error.
 */
import type { InvError } from "../domain/errors";

export interface Problem {
  readonly atMs: number;
  /** Address of the cell where the host told it. */
  readonly cell: string | null;
  /** Store and item as they were given (also when they are what is wrong); "" when blank. */
  readonly store: string;
  readonly item: string;
  readonly error: InvError;
}

export interface ProblemGroup {
  readonly code: InvError["code"];
  /** The reason in words, the same for all of the group. */
  readonly reason: string;
  /** Problems recorded since the list was cleared; the same cell with the same reason counts once. */
  readonly count: number;
  /** Those of the group that are among the last 500, newest first. */
  readonly problems: readonly Problem[];
}

export interface Activity {
  record(problem: Problem): void;
  /** The cell has a value now: its problems no longer count. */
  resolved(cell: string): void;
  /** Newest first, at most 500. */
  recent(): readonly Problem[];
  /** Largest first. */
  groups(): readonly ProblemGroup[];
  clear(): void;
  /** Told after changes, not more than about ten times a second. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}
