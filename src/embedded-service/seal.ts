/**
 * Opaque text that only this service can make and read: access tokens and page tokens. AES-GCM encrypts it with a key that lives as
 * long as the process, or that several services share. Text that somebody changed or invented, or that was made for another purpose
 * or by another run, can't be opened. Nothing is stored, so a million tokens need no memory.
 */

type SealPurpose = "access" | "page";

export interface Sealer {
  seal(purpose: SealPurpose, content: unknown): Promise<string>;
  /** Returns undefined for text that this service didn't make for this purpose. */
  open(purpose: SealPurpose, text: string): Promise<unknown>;
}

const ivBytes = 12;

/**
 * Keys and initial vectors come from the platform's cryptography, not from an injected random source, because nobody may guess a token.
 * @param sealedWith makes the key: services with the same text accept each other's tokens, and anybody who knows the text can make tokens
 */
export function createSealer(sealedWith?: string): Sealer {
  const key = sealedWith === undefined ? newKey() : derivedKey(sealedWith);
  return {
    async seal(purpose, content) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const plain = new TextEncoder().encode(JSON.stringify(content));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(purpose, iv), await key, plain));
      const bytes = new Uint8Array(ivBytes + sealed.length);
      bytes.set(iv);
      bytes.set(sealed, ivBytes);
      return toBase64Url(bytes);
    },
    async open(purpose, text) {
      const bytes = fromBase64Url(text);
      if (bytes === null || bytes.length <= ivBytes) return undefined;
      try {
        const iv = bytes.subarray(0, ivBytes);
        const plain = await crypto.subtle.decrypt(algorithm(purpose, iv), await key, bytes.subarray(ivBytes));
        return JSON.parse(new TextDecoder().decode(plain)) as unknown;
      } catch {
        // Foreign text fails to decrypt.
        return undefined;
      }
    },
  };
}

const uses: KeyUsage[] = ["encrypt", "decrypt"];

function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, uses);
}

async function derivedKey(text: string): Promise<CryptoKey> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, uses);
}

function algorithm(purpose: SealPurpose, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(purpose) };
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    // The last character has unused bits. Refuse other spellings of the same bytes.
    return toBase64Url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
