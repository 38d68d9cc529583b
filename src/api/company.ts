/**
 * What a page and the team's server say to each other beside the service's contract: the page, who asks (a random
 * name of its own), whether an edit waits, and how old an answer of a colleague's call may be; the server, how old
 * each record is, how the company's quota stands, and that a 429 is its own. Nothing of it reaches the service.
 */

export interface CompanyCall {
  /** The page's random name: letters and digits. */
  readonly page: string;
  readonly isEdit: boolean;
  /** 0 asks the service in any case. */
  readonly maxAgeMs: number;
}

export function companyHeaders({ page, isEdit, maxAgeMs }: CompanyCall): Record<string, string> {
  return {
    "inv-page": page,
    "inv-max-age": String(Math.max(0, Math.floor(maxAgeMs / 1_000))),
    ...(isEdit && { "inv-edit": "1" }),
  };
}

export interface CompanyUse {
  /** Calls of the whole company that count in its present 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

/** Null where the answer does not come through a team's server. */
export function readCompanyUse(headers: Headers): CompanyUse | null {
  const parts = /^(\d+)\/(\d+)$/.exec(headers.get("inv-quota") ?? "");
  return parts === null ? null : { used: Number(parts[1]), limit: Number(parts[2]) };
}

/** Whether a 429 is the team's server's: the service has not seen the call, and nobody needs to go slower. */
export function isTurnedAway(headers: Headers): boolean {
  return headers.get("inv-refusal") === "quota";
}

/** Whether every item came from calls that were made before this one, so that it cost the company nothing. */
export function costsNothing(headers: Headers): boolean {
  return /^[1-9]\d*(,[1-9]\d*)*$/.test(headers.get("inv-ages") ?? "");
}

/** How long ago each item was fetched, in the order of the request; empty where all were fetched just now. */
export function readAgesMs(headers: Headers, items: number): readonly number[] {
  const text = headers.get("inv-ages") ?? "";
  const ages = /^\d+(,\d+)*$/.test(text) ? text.split(",").map(Number) : [];
  return ages.length === items ? ages : [];
}
