/** What the parts of a pipeline share: the connection, and what outlives it. */
import type { Transport } from "../api/transport";
import type { Credentials, Environment } from "../domain/environment";
import type { Clock } from "./clock";
import type { ProgressTracker } from "./progress";
import type { EngineSettings } from "./types";
import type { Unanswered } from "./unanswered";
import type { SettleQueue } from "./waiters";

export interface ConnectionContext {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly environment: Environment;
  readonly credentials: Credentials;
  /** Returns the secret of the connection, read at each use, because a renewal replaces that of a session. */
  readonly secretNow: () => string;
  readonly settings: () => EngineSettings;
  /** Time of the last clear, by the steady clock. INV accepts no answer of a colleague from before it. */
  readonly clearedAtMs: () => number;
  readonly settleQueue: SettleQueue;
  readonly tracker: ProgressTracker;
  readonly unanswered: Unanswered;
  /** The worksheet that the person looks at. */
  readonly sheetInView: () => string | null;
  readonly connections: number;
  /** Largest response body that is read, in bytes. */
  readonly maxBytes: number;
  /** Called with the time from each call to its answer. */
  readonly onAnswered: (latencyMs: number) => void;
}
