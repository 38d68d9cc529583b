/**
 * Texts that lie in Redis for whoever comes back with the right key, and are noise to anybody else, whoever can read all of
 * Redis included. The key is a text that only they hold; what is kept of it there is a digest, by which what is sealed
 * is found.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const [ivBytes, tagBytes] = [12, 16];

/** `about` says what it is and whose: sealed for one purpose it opens for no other. */
export function seal(key: string, about: string, text: string): Buffer {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, derived(key, about), iv);
  const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]);
}

/** Null where it is not this key's, or was sealed for something else. */
export function unseal(key: string, about: string, sealed: Buffer): string | null {
  try {
    const opening = createDecipheriv(cipher, derived(key, about), sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    const text = opening.update(sealed.subarray(ivBytes + tagBytes));
    return Buffer.concat([text, opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function derived(key: string, about: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `inv ${about}`, 32));
}
