/**
 * Checks the host name of each request, as a defense against DNS rebinding. A foreign site may let its own
 * name resolve to this machine, and would then count as a page of this server. The allowed names are the
 * configured ones and this machine's own. `/healthz` and `/readyz` allow any name, because load balancers use
 * IP addresses.
 */
import { isIPv4 } from "node:net";
import type { FastifyInstance } from "fastify";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Where the administrator's port listens. */
export const monitoringHost = "127.0.0.1";

/** Listening addresses that mean all interfaces, and aren't names. */
export const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::", ""]);

const anyName: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Letters, digits, dots and dashes, or an IP address. IPv6 addresses are in brackets. */
export const hostPattern = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

export interface HostsOptions {
  /** Lowercase names without a port, in addition to this machine's own. */
  readonly hosts: readonly string[];
  readonly host: string;
}

/** Returns whether only this machine can reach a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === "::1" || loopbackNames.includes(host) || (isIPv4(host) && host.startsWith("127."));
}

/** Returns the host as addresses spell it: an IPv6 address in brackets. */
export function hostInAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** Refuses requests for other names with 421. Register it before all routes. */
export function requireKnownHost(fastify: FastifyInstance, { hosts, host }: HostsOptions): void {
  const ownNames = everyAddress.has(host) ? [] : [hostInAddress(host)];
  const known = new Set([...loopbackNames, ...ownNames, ...hosts]);
  fastify.addHook("onRequest", (request, reply, done) => {
    const name = /^(.*?)(:\d+)?$/.exec((request.headers.host ?? "").toLowerCase())?.[1] ?? "";
    // A proxy request has an absolute address in its first line, whose host may differ from the header.
    if ((known.has(name) && request.url.startsWith("/")) || anyName.has(request.url)) {
      done();
      return;
    }
    reply
      .code(421)
      .type("text/plain; charset=utf-8")
      .send(
        "This server doesn't answer to that name. Its administrator can add it to the configured hosts.\n",
      );
  });
}
