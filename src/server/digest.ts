/** Random texts, and digests, which are stored instead of secrets, tokens and codes. */
import { createHash, randomBytes } from "node:crypto";

export function digestOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Returns 256 random bits in characters that addresses and headers allow. */
export function unguessable(): string {
  return randomBytes(32).toString("base64url");
}

export function newPerson(): string {
  return randomBytes(12).toString("base64url");
}
