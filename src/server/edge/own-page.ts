/**
 * Refuses requests of foreign pages. Programs that aren't browsers may ask, because they can send any header anyway.
 * Browsers send Sec-Fetch-Site, which no script can set, but not over plain HTTP beyond loopback, and older ones never.
 * Then Origin decides, which they send with every POST and with every request to another origin whose answer a script may read.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { refusal, sendAnswer } from "../answer";

/** An `onRequest` hook. */
export function requireOwnPage({ headers }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (isOwnPage(headers)) done();
  else sendAnswer(reply, refusal(403, "Only pages of this server may ask this."));
}

/** Whether a request comes from a page of this server, or from a program. */
export function isOwnPage({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  // `none` is an address that the person opened, perhaps by a link in a mail. INV has no such links.
  if (site !== undefined) return site === "same-origin";
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === (host ?? "").toLowerCase();
}
