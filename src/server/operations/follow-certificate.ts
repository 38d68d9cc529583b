/**
 * Reloads the TLS certificate from its files every minute, so that a renewal needs no restart. If the files
 * aren't a matching certificate and key, for example in the middle of a renewal, it only logs a warning.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import { messageOf } from "../../domain/errors";
import type { Log } from "./log";
import type { ServerConfig } from "../settings/read";
import type { SteadyClock } from "../steady-clock";

const lookAgainMs = 60_000;

export interface CertificateOptions {
  readonly tls: NonNullable<ServerConfig["tls"]>;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
  readonly log: Log;
  /** Called at startup and at each renewal, with milliseconds since 1970. */
  readonly validUntil: (ms: number) => void;
}

/** Returns a function that stops the checks. */
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
        reportValidity(cert);
        log.info({}, "The server uses the renewed certificate.");
      }
    } catch (error) {
      log.warn(
        { reason: messageOf(error) },
        "The server can't read the new certificate, so it uses the previous one.",
      );
    }
    timer = clock.setTimeout(look, lookAgainMs);
  }

  function reportValidity(cert: string): void {
    validUntil(Date.parse(new X509Certificate(cert).validTo));
  }

  reportValidity(tls.cert);
  timer = clock.setTimeout(look, lookAgainMs);
  return () => clock.clearTimeout(timer);
}
