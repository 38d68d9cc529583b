/**
 * A secret of the server. A setting gives its location as `file:PATH` or `env:NAME`. The secret is read at
 * each use and not kept, so a file can be replaced while the server runs.
 */
import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { whyUnusable } from "../system-error";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Rejects if the secret can't be read. The reason never names its place, where somebody may have pasted the secret itself. */
export type ReadSecret = () => Promise<string>;

export function createSecret(location: string, variables: Variables = process.env): ReadSecret {
  const path = pathOf(location);
  return async () => {
    try {
      // Anybody may make requests that need a secret, so none may stop the server until a slow disk answers.
      return path === null ? readSecretNow(location, variables) : clean(textOf(await readFile(path)));
    } catch (error) {
      throw new Error(`The secret cannot be read: ${whyUnusable(error)}.`);
    }
  };
}

/** Reads the secret for `--check` and at startup. Throws if the secret can't be read. */
export function readSecretNow(location: string, variables: Variables): string {
  const path = pathOf(location);
  return clean(path === null ? (variables[location.slice("env:".length)] ?? "") : readTextNow(path));
}

/** Throws if the file can't be read. A pipe without a writer and a device would never end. */
export function readTextNow(path: string, { fatal = true } = {}): string {
  const stats = statSync(path);
  if (stats.isFIFO() || stats.isCharacterDevice()) throw new Error("it isn't a regular file");
  return textOf(readFileSync(path), { fatal });
}

function pathOf(location: string): string | null {
  return location.startsWith("file:") ? location.slice("file:".length) : null;
}

/** Editors end a file with a newline. */
function clean(text: string): string {
  const secret = text.trim();
  if (secret === "" || secret.length > 4_096) throw new Error("it is empty or too long");
  return secret;
}

/** Returns whether a setting that may also have a plain value names the location of a secret. */
export function isSecretLocation(text: string | undefined): boolean {
  return /^(file|env):/.test(text ?? "");
}

/**
 * Returns the text of a file that an administrator has written: UTF-8, or the UTF-16 that Windows PowerShell writes with `>`. A byte
 * order mark isn't part of it. Throws for any other encoding, unless `fatal` is false.
 */
export function textOf(bytes: Uint8Array, { fatal = true } = {}): string {
  // No UTF-8 begins with this byte.
  const encoding = bytes[0] === 0xff ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding, { fatal }).decode(bytes);
}
