/**
 * What pages and server tell each other beside the contract. Asked: who asks (a random name that a page gives
 * itself), whether it is an edit, how old an answer may be. Told: the age of each record, the company's quota, and
 * whether a 429 is INV's own. None of them reaches the service, none is logged.
 */
import { refusal, type RelayedAnswer } from "../relay/answer";
import type { QuotaUse } from "./entry";
import type { Asker } from "./turns";

type Headers = Readonly<Record<string, string>>;

export interface Asked {
  readonly asker: Asker;
  readonly maxAgeMs: number;
}

const longestMaxAgeSeconds = 86_400;
/** Pages that give no name, or none that can be one, take turns as one person. */
const nobody = "";

/** From the headers of a page's call, asked for in lower case. What cannot be read is as if it were not there. */
export function readAsked(header: (name: string) => string | undefined): Asked {
  const person = header("inv-page") ?? nobody;
  const seconds = header("inv-max-age") ?? "0";
  return {
    asker: {
      person: /^[\w-]{8,64}$/.test(person) ? person : nobody,
      isEdit: header("inv-edit") === "1",
    },
    maxAgeMs: /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), longestMaxAgeSeconds) * 1_000 : 0,
  };
}

/** The age of each item of the answer, in its order, in milliseconds. Left out where all were asked for now. */
export function agesHeader(agesMs: readonly number[]): Headers {
  return { "inv-ages": agesMs.map((ageMs) => Math.max(0, Math.round(ageMs))).join(",") };
}

export function quotaHeader({ used, limit }: QuotaUse): Headers {
  return { "inv-quota": `${used}/${limit}` };
}

/** INV's own 429: the service has not seen the call. */
export function ownRefusal(retryAfterMs: number): RelayedAnswer {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const detail = `The company's quota is used up. INV asks again in ${retryAfterSeconds} seconds.`;
  const answer = refusal(429, detail, retryAfterSeconds);
  return { ...answer, headers: { ...answer.headers, "inv-refusal": "quota" } };
}
