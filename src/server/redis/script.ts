/** A script that Redis runs atomically. It is sent once, and later named by its digest. */
import { createHash } from "node:crypto";

export interface Script {
  readonly text: string;
  readonly digest: string;
}

export function createScript(text: string): Script {
  // Redis names scripts by SHA-1.
  return { text, digest: createHash("sha1").update(text).digest("hex") };
}
