/**
 * What every data call and every reader needs beside its query: who asks, and how much is read.
 */

import type { CompanyCall } from "./company";

export interface CallOptions {
  /** Null where the team's server knows it. */
  readonly consumerId: string | null;
  readonly accessToken: string;
  readonly signal?: AbortSignal;
  /** Null where no team's server stands between. */
  readonly company?: CompanyCall | null;
}

export interface ReadOptions {
  /** The largest body read, in bytes after decompression; a larger one is refused while it is read. */
  readonly maxBytes: number;
}
