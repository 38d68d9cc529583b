/**
 * Encrypts texts so that only the owner of the key can read them. A reader of the whole store, Redis
 * included, can't.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const [ivBytes, tagBytes] = [12, 16];

/**
 * `about` names the text's purpose and owner. A text encrypted for one purpose can't be decrypted for
 * another.
 */
export function seal(key: string, about: string, text: string): Buffer {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, derivedKey(key, about), iv);
  const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]);
}

/** Returns null for a different key, a different purpose, or a modified text. */
export function unseal(key: string, about: string, sealed: Buffer): string | null {
  try {
    const opening = createDecipheriv(cipher, derivedKey(key, about), sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    const text = opening.update(sealed.subarray(ivBytes + tagBytes));
    return Buffer.concat([text, opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function derivedKey(key: string, about: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `inv ${about}`, 32));
}
