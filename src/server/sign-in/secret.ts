/**
 * A secret of the server: it stands in a file or an environment variable, and is read when it is needed, so that a
 * file can be replaced while the server runs. Nobody keeps it longer than the call that it goes with.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** As settings name it; one of the two is there. */
export interface SecretPlaces {
  readonly secretFile?: string | undefined;
  readonly secretVariable?: string | undefined;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Rejects where it cannot be read, or is none. */
export type ReadSecret = () => Promise<string>;

export function createSecret(places: SecretPlaces, variables: Variables = process.env): ReadSecret {
  const { secretFile } = places;
  if (secretFile === undefined) return async () => Promise.resolve(readSecretNow(places, variables));
  return async () => clean(await readFile(secretFile, "utf8"));
}

/** For the look before the start. Throws where it cannot be read, or is none. */
export function readSecretNow({ secretFile, secretVariable }: SecretPlaces, variables: Variables): string {
  if (secretFile !== undefined) return clean(readFileSync(secretFile, "utf8"));
  return clean(variables[secretVariable ?? ""] ?? "");
}

/** Editors end a file with a new line. */
function clean(text: string): string {
  const secret = text.trim();
  if (secret === "" || secret.length > 4_096) throw new Error("There is no secret in it.");
  return secret;
}
