/**
 * A page's token request: a form of three fields, each exactly once. The relay writes a new form from the
 * parsed fields. This way, the service can't read a different consumer in it than the relay did.
 */
import { type PageRequest, readForm } from "./page-request";

export interface TokenForm {
  readonly consumerId: string;
  readonly clientSecret: string;
}

/** Allows only characters that are valid in a header, because data calls send the ID in one. */
const consumerPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

export function readTokenForm(request: PageRequest): TokenForm | null {
  const form = readForm(request);
  if (form === null) return null;
  if ([...form.keys()].sort().join(" ") !== "client_id client_secret grant_type") return null;
  if (form.get("grant_type") !== "client_credentials") return null;
  const consumerId = (form.get("client_id") ?? "").trim();
  return consumerPattern.test(consumerId)
    ? { consumerId, clientSecret: form.get("client_secret") ?? "" }
    : null;
}

export function writeTokenForm({ consumerId, clientSecret }: TokenForm): Buffer {
  const fields = { grant_type: "client_credentials", client_id: consumerId, client_secret: clientSecret };
  return Buffer.from(new URLSearchParams(fields).toString());
}
