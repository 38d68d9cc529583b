/**
 * Refuses requests from pages of other sites. Programs that aren't browsers are allowed, because they can
 * send any header anyway. Browsers send Sec-Fetch-Site, which no script can set. They don't send it over
 * plain HTTP, except on loopback, and older ones never do. In those cases, Origin decides. Browsers send it
 * with every POST, and with every cross-origin request whose answer a script may read.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { refusal, sendAnswer } from "../answer";

/** An `onRequest` hook that refuses requests from other sites with 403. */
export function requireOwnPage({ headers }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (isOwnPage(headers)) done();
  else sendAnswer(reply, refusal(403, "Only pages of this server may ask this."));
}

/** Returns whether a request comes from a page of this server, or from a program. */
function isOwnPage({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  // `none` means an address that the person opened, perhaps from a link in an email. INV has no such links.
  if (site !== undefined) return site === "same-origin";
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === (host ?? "").toLowerCase();
}
