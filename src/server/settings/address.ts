/** Which addresses calls may go to. Secrets travel there, so plain HTTP is for this machine alone. */
import { z } from "zod";
import { isLoopback } from "../edge/hosts";

export const address = z
  .string()
  .check((context) => {
    const fault = faultOfAddress(context.value);
    if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
  })
  .meta({ allowed: "an https address (http only for localhost)" });

/** Null for an address that calls may go to. What is wrong is never repeated: it may hold a password. */
function faultOfAddress(text: string): string | null {
  if (!URL.canParse(text)) return "must be an https address";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "must not hold a user name or password";
  // `?` and `#` with nothing behind them are gone from the parsed address, and would still change a call's.
  if (text.includes("?")) return 'must end before any "?"';
  if (text.includes("#")) return 'must end before any "#"';
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return null;
  return "must be an https address (http only for localhost)";
}
