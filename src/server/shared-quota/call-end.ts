/** How a call ended, as far as the quota asks, and what is spent of it. */
export interface CompanyQuotaUse {
  /** Calls that count in the company's present 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

export type CallEnd =
  /** The service answered 429. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number | null }
  | { readonly kind: "answered" }
  /** Broken off, or left by who asked. */
  | { readonly kind: "failed" };
