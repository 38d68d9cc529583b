/**
 * The certificate that lies in its files now: looked at every minute, so that a renewal needs no restart. What is no
 * certificate with its key, as in the middle of a renewal, changes nothing but the log.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import { messageOf } from "../../domain/errors";
import type { Log } from "./log";
import type { ServerConfig } from "../settings/read";
import type { SteadyClock } from "../shared-quota/clock";

const lookAgainMs = 60_000;

export interface CertificateOptions {
  readonly tls: NonNullable<ServerConfig["tls"]>;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
  readonly log: Log;
  /** Told at once and at each renewal, in milliseconds since 1970. */
  readonly validUntil: (ms: number) => void;
}

/** Returns how to end it. */
export function followCertificate(
  server: Pick<Server, "setSecureContext">,
  { tls, clock, log, validUntil }: CertificateOptions,
): () => void {
  const { certFile, keyFile } = tls;
  let seen = tls.cert + tls.key;
  let timer: unknown = null;

  function look(): void {
    try {
      const [cert, key] = [readFileSync(certFile, "utf8"), readFileSync(keyFile, "utf8")];
      if (cert + key !== seen) {
        seen = cert + key;
        server.setSecureContext({ cert, key });
        tellValidity(cert);
        log.info({}, "The renewed certificate is served.");
      }
    } catch (error) {
      log.warn(
        { reason: messageOf(error) },
        "The certificate cannot be read again; the one before is served.",
      );
    }
    timer = clock.setTimeout(look, lookAgainMs);
  }

  function tellValidity(cert: string): void {
    validUntil(Date.parse(new X509Certificate(cert).validTo));
  }

  tellValidity(tls.cert);
  timer = clock.setTimeout(look, lookAgainMs);
  return () => clock.clearTimeout(timer);
}
