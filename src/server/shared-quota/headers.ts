/**
 * Headers that pages and server exchange beside the service's contract. A request says whether it is an edit and how old
 * an answer may be. A response says the age of each record, the company's quota, and whether a 429 is INV's own and for
 * how long. None of them reaches the service or the log.
 */
import type { TeamServerTerms } from "../../api/headers";
import { refusal, type RelayedAnswer } from "../answer";
import type { QuotaUsage } from "./turns";

type Headers = Readonly<Record<string, string>>;

const longestMaxAgeSeconds = 86_400;
/** Reads the headers of a page's call; their names are in lower case. Unreadable values count as missing. */
export function readTeamServerTerms(request: { header(name: string): string | undefined }): TeamServerTerms {
  const seconds = request.header("inv-max-age") ?? "0";
  return {
    isEdit: request.header("inv-edit") === "1",
    maxAgeMs: /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), longestMaxAgeSeconds) * 1_000 : 0,
  };
}

/**
 * Returns the age of each item of the answer in milliseconds, in the answer's order, and whether all of them came from
 * other calls. Both are left out of an answer that the service gave to this call as it is.
 */
export function agesHeader(agesMs: readonly number[], isCached: boolean): Headers {
  return {
    "inv-ages": agesMs.map((ageMs) => Math.max(0, Math.round(ageMs))).join(","),
    ...(isCached && { "inv-cached": "1" }),
  };
}

export function quotaHeader({ used, limit }: QuotaUsage): Headers {
  return { "inv-quota": `${used}/${limit}` };
}

/** INV's own 429: the service has not seen the call. */
export function ownRefusal(retryAfterMs: number): RelayedAnswer {
  return refusalFor("quota", "The company's quota is used up.", retryAfterMs);
}

export function isQuotaRefusal({ headers }: RelayedAnswer): boolean {
  return headers["inv-refusal"] === "quota";
}

/** INV's 429 if Redis can't say how much of the quota is used. */
export function unavailableRefusal(retryAfterMs: number): RelayedAnswer {
  return refusalFor(
    "redis",
    "The team's server can't count requests, because Redis doesn't answer or was restarted.",
    retryAfterMs,
  );
}

function refusalFor(mark: "quota" | "redis", why: string, retryAfterMs: number): RelayedAnswer {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const answer = refusal(429, `${why} INV asks again in ${retryAfterSeconds} seconds.`, retryAfterSeconds);
  // In milliseconds as well: with whole seconds, calls would come after their turn.
  const waitMs = String(Math.ceil(retryAfterMs));
  return { ...answer, headers: { ...answer.headers, "inv-refusal": mark, "inv-wait-ms": waitMs } };
}
