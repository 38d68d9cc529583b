/** What is kept, here or in Redis, in the place of a secret, a token or a code, so that nothing there is one. */
import { createHash, randomBytes } from "node:crypto";

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** 256 bits that nobody can guess, as an address or a header can carry them. */
export function unguessable(): string {
  return randomBytes(32).toString("base64url");
}

/** Names a person in the quota's turns: nothing can be learnt from it, and nobody can guess another's. */
export function newPerson(): string {
  return randomBytes(12).toString("base64url");
}
