/**
 * The address of this server in the two files that Excel reads before INV runs: manifest.xml and functions.json. The build writes the
 * development address into them. Whoever asks for them under another of the server's names gets that name, so one archive serves any
 * address. `edge/hosts.ts` has refused foreign names before.
 */
import { isLoopback } from "./edge/hosts";

export const addressedFiles = ["manifest.xml", "functions.json"] as const;

const developmentUrl = "https://localhost:3000";
/** Never change this ID: saved workbooks refer to it. */
const releasedId = "13c78417-834e-4ebd-a303-482841c6f921";

/**
 * Returns the file's text for a host name with or without port. On this machine it stays as it is. Elsewhere it is the released
 * add-in. That has the permanent Id, so that saved workbooks find it, and another name, so that people can tell the two apart.
 */
export function forAddress(text: string, host: string): string {
  if (isLoopback(host.replace(/:\d+$/, ""))) return text;
  return text
    .replaceAll(developmentUrl, `https://${host}`)
    .replace(/<Id>[^<]*</, `<Id>${releasedId}<`)
    .replaceAll(" (development)", "");
}
