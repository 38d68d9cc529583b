/**
 * Whether a request comes from a page of this very server, or from no page at all (a program, which could
 * say anything). Browsers tell with Sec-Fetch-Site, which no script can set; they leave it out over plain
 * HTTP beyond loopback, and older ones always. Then Origin tells, which they send with every POST and with
 * every request to another origin that a script may read the answer of.
 */
import type { IncomingHttpHeaders } from "node:http";

export function isOwnPage({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  // `none` is an address that the person opened, which a link in a mail is as well: nothing of INV's.
  if (site !== undefined) return site === "same-origin";
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === (host ?? "").toLowerCase();
}
