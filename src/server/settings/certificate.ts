/**
 * The server's own certificate: whether its files belong together, when it is valid, and for which names. The start, `--check`, a
 * renewal and a look each day judge it by the same rule.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { messageOf } from "../../domain/errors";
import { withoutBrackets } from "../edge/hosts";

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface Judgement {
  /** Why the certificate can't be served. */
  readonly faults: readonly string[];
  /** What an administrator has to change soon. */
  readonly warnings: readonly string[];
}

const dayMs = 86_400_000;
const soonDays = 14;

/** @param hosts the names under which people reach the server */
export function judgeCertificate(pair: CertificatePair, hosts: readonly string[], nowMs: number): Judgement {
  const fault = faultOfPair(pair);
  if (fault !== null) return { faults: [fault], warnings: [] };
  const certificate = new X509Certificate(pair.cert);
  const { validFrom, validTo } = certificate;
  const leftDays = (validUntilMs(pair) - nowMs) / dayMs;
  const faults = [
    ...(leftDays <= 0 ? [`tls.cert expired on ${validTo}.`] : []),
    ...(Date.parse(validFrom) > nowMs
      ? [`tls.cert isn't valid before ${validFrom}. If it should be, this machine's clock is wrong.`]
      : []),
  ];
  const names = certificate.subjectAltName ?? "no name, because browsers ignore its subject";
  const warnings = [
    ...(leftDays > 0 && leftDays < soonDays
      ? [`tls.cert expires on ${validTo}, in less than ${Math.ceil(leftDays)} days. Renew it.`]
      : []),
    ...hosts
      .filter((host) => !isFor(certificate, host))
      .map((host) => `tls.cert isn't for "${host}", a name in hosts; it is for ${names}.`),
  ];
  return { faults, warnings };
}

/** Milliseconds since 1970. */
export function validUntilMs({ cert }: Pick<CertificatePair, "cert">): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const bare = withoutBrackets(host);
  return (
    (isIP(bare) === 0 ? certificate.checkHost(bare, { subject: "never" }) : certificate.checkIP(bare)) !==
    undefined
  );
}

const keyMark = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const encryptedMark = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/;

/** OpenSSL's own texts name neither the file nor the remedy. */
function faultOfPair({ cert, key }: CertificatePair): string | null {
  if (!cert.includes("-----BEGIN CERTIFICATE-----")) {
    return keyMark.test(cert)
      ? "tls.cert contains a key instead of a certificate. Are tls.cert and tls.key swapped?"
      : "tls.cert contains no certificate in PEM. Convert other files, such as .pfx or .der, with openssl.";
  }
  if (encryptedMark.test(key)) {
    return "tls.key is encrypted with a password. INV needs it without: openssl pkey -in KEY -out NEW-KEY";
  }
  if (!keyMark.test(key)) return "tls.key contains no private key in PEM.";
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) {
      return "tls.key isn't the key of the first certificate in tls.cert, which its chain must follow.";
    }
    createSecureContext({ cert, key });
    return null;
  } catch (error) {
    return `tls.cert and tls.key aren't a certificate and its key in PEM: ${messageOf(error)}.`;
  }
}
