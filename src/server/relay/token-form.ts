/**
 * A token request as a page sends it: a form of three fields, each once. What leaves is written anew from what was
 * read, so that the service cannot understand another consumer than the one whose token it will be.
 */
import { type PageRequest, readForm } from "./page-request";

export interface TokenForm {
  readonly consumerId: string;
  readonly clientSecret: string;
}

/** As a header can carry it, since data calls bring it in one. */
const consumerPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

/** Null where it is another form, or none. */
export function readTokenForm(request: PageRequest): TokenForm | null {
  const form = readForm(request);
  if (form === null) return null;
  if ([...form.keys()].sort().join(" ") !== "client_id client_secret grant_type") return null;
  if (form.get("grant_type") !== "client_credentials") return null;
  // Blanks around it are nobody's name.
  const consumerId = (form.get("client_id") ?? "").trim();
  return consumerPattern.test(consumerId)
    ? { consumerId, clientSecret: form.get("client_secret") ?? "" }
    : null;
}

export function writeTokenForm({ consumerId, clientSecret }: TokenForm): Buffer {
  const fields = { grant_type: "client_credentials", client_id: consumerId, client_secret: clientSecret };
  return Buffer.from(new URLSearchParams(fields).toString());
}
