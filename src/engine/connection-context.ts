/** What everything that serves one connection shares, and what of it outlives the connection. */
import type { Transport } from "../api/transport";
import type { Credentials, Environment } from "../domain/environment";
import type { Sheets } from "./arrivals";
import type { Clock } from "./clock";
import type { ProgressTracker } from "./progress";
import type { EngineSettings } from "./types";
import type { SettleQueue } from "./waiters";

export interface ConnectionContext {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly settings: () => EngineSettings;
  /** By the steady clock: what was known before it is not to be shown again. */
  readonly clearedAtMs: () => number;
  readonly settleQueue: SettleQueue;
  readonly tracker: ProgressTracker;
  readonly sheets: Sheets;
  readonly connections: number;
  /** Of an answer. */
  readonly maxBytes: number;
  /** Queries of a refresh. */
  readonly queuedPerTurn: number;
  /** A call was answered after so long. */
  readonly onAnswered: (latencyMs: number) => void;
  /** More is about to wait until then, so what fills part of a call may fill it yet. */
  readonly gather: (until: Promise<void>) => void;
  readonly isGathering: () => boolean;
}
