/**
 * What pages and server tell each other beside the contract. Asked: whether it is an edit, how old an answer may be.
 * Told: the age of each record, the company's quota, and whether a 429 is INV's own, and for how long. None of them reaches the service,
 * none is logged.
 */
import type { CallTerms } from "../../api/headers";
import { refusal, type RelayedAnswer } from "../answer";
import type { CompanyQuotaUse } from "./call-end";

type Headers = Readonly<Record<string, string>>;

const longestMaxAgeSeconds = 86_400;
/** From the headers of a page's call, asked for in lower case. What cannot be read is as if it were not there. */
export function readCallTerms(request: { header(name: string): string | undefined }): CallTerms {
  const seconds = request.header("inv-max-age") ?? "0";
  return {
    isEdit: request.header("inv-edit") === "1",
    maxAgeMs: /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), longestMaxAgeSeconds) * 1_000 : 0,
  };
}

/**
 * The age of each item of the answer, in its order, in milliseconds; 0 for what this call has asked the service for
 * (null here), however long its answer took to be passed on, and for that alone: by it a page tells what a call cost.
 * Left out where that is all of them.
 */
export function agesHeader(agesMs: readonly (number | null)[]): Headers {
  return {
    "inv-ages": agesMs.map((ageMs) => (ageMs === null ? 0 : Math.max(1, Math.round(ageMs)))).join(","),
  };
}

export function quotaHeader({ used, limit }: CompanyQuotaUse): Headers {
  return { "inv-quota": `${used}/${limit}` };
}

/** INV's own 429: the service has not seen the call. */
export function ownRefusal(retryAfterMs: number): RelayedAnswer {
  return sentBack("quota", "The company's quota is used up.", retryAfterMs);
}

/** The same where nobody knows how much of the quota is spent, since what the servers share cannot be asked. */
export function memoryRefusal(retryAfterMs: number): RelayedAnswer {
  return sentBack("memory", "The team's server waits for its memory.", retryAfterMs);
}

function sentBack(mark: "quota" | "memory", why: string, retryAfterMs: number): RelayedAnswer {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const answer = refusal(429, `${why} INV asks again in ${retryAfterSeconds} seconds.`, retryAfterSeconds);
  // Whole seconds would have a place wait for its call.
  const waitMs = String(Math.ceil(retryAfterMs));
  return { ...answer, headers: { ...answer.headers, "inv-refusal": mark, "inv-wait-ms": waitMs } };
}
