/**
 * A secret of the server. A setting gives its location as `file:PATH` or `env:NAME`. The secret is read at
 * each use and not kept, so a file can be replaced while the server runs.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Rejects if the secret can't be read. */
export type ReadSecret = () => Promise<string>;

export function createSecret(place: string, variables: Variables = process.env): ReadSecret {
  const path = pathOf(place);
  if (path === null) return async () => Promise.resolve(readSecretNow(place, variables));
  return async () => clean(await readFile(path, "utf8"));
}

/** Reads the secret for `--check` and at startup. Throws if the secret can't be read. */
export function readSecretNow(place: string, variables: Variables): string {
  const path = pathOf(place);
  return clean(path === null ? (variables[place.slice("env:".length)] ?? "") : readFileSync(path, "utf8"));
}

/** Returns whether a setting that may also have a plain value names the place of a secret. */
export function isPlace(text: string | undefined): boolean {
  return /^(file|env):/.test(text ?? "");
}

function pathOf(place: string): string | null {
  return place.startsWith("file:") ? place.slice("file:".length) : null;
}

/** Editors end a file with a newline. */
function clean(text: string): string {
  const secret = text.trim();
  if (secret === "" || secret.length > 4_096) throw new Error("The secret is empty or too long.");
  return secret;
}
