/**
 * Addresses that calls may be sent to. Calls contain secrets, so plain HTTP is allowed only for this machine.
 */
import { z } from "zod";
import { isLoopback } from "../edge/hosts";

export const address = z
  .string()
  .check((context) => {
    const fault = faultOfAddress(context.value);
    if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
  })
  .meta({ allowed: "an https address, http for localhost" });

/** Returns null for a valid address. The message never repeats the address, which may contain a password. */
function faultOfAddress(text: string): string | null {
  if (!URL.canParse(text)) return "must be an https address";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "must not contain a user name or password";
  // Check the text, because parsing drops an empty query or fragment, which would still change a call's
  // address.
  if (text.includes("?")) return 'must end before any "?"';
  if (text.includes("#")) return 'must end before any "#"';
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return null;
  return "must be an https address (http only for localhost)";
}
