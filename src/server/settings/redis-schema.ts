/**
 * The settings of Redis, which several servers share. They name the locations of user and password, never the
 * values.
 */
import { z } from "zod";
import { isLoopback } from "../edge/hosts";
import { secretPlace } from "./sign-in-schema";

export const redis = z
  .strictObject({
    url: z
      .string()
      .check((context) => {
        const fault = faultOfRedisUrl(context.value);
        if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
      })
      .meta({
        description: "Its address, `rediss://host:port`; with `/1` behind it, database 1 in place of 0.",
        allowed: "a rediss address (redis only for localhost)",
        variable: "INV_REDIS_URL",
      }),
    prefix: z
      .string()
      // No prefix can be the start of another, so that an ACL pattern allows only one company's keys.
      .regex(
        /^[\w.-]{1,63}:$/,
        'must be 1 to 63 letters, digits and . _ - with a ":" at the end, and no other',
      )
      .default("inv:")
      .meta({
        description: "How the names of all that INV keeps there begin. Servers with the same prefix are one.",
        allowed: "1 to 63 letters, digits and `.` `_` `-`, then `:`",
      }),
    ca: z.string().min(1).optional().meta({
      description:
        "Path of a PEM file with certificates of a private authority, to be trusted besides the public ones.",
    }),
    user: secretPlace
      .optional()
      .meta({ description: "The user's name in Redis, where it is not `default`." }),
    password: secretPlace
      .optional()
      .meta({ description: "The password. A file is read whenever it is needed." }),
  })
  .optional()
  .meta({
    description:
      "Makes several servers one: they share quota, answers, tokens and sessions in this Redis (version 7 or later).",
  });

/** Returns null for a valid address. The message never repeats the address, which may contain a password. */
function faultOfRedisUrl(text: string): string | null {
  if (!URL.canParse(text)) return "must be a rediss address";
  const { protocol, hostname, username, password: secret, pathname, search, hash } = new URL(text);
  if (username !== "" || secret !== "") {
    return 'must not contain a user name or password; "user" and "password" name their places';
  }
  if (search !== "" || hash !== "") return 'must end before any "?" or "#"';
  if (!/^(\/\d{0,4})?$/.test(pathname)) {
    return "may have nothing behind host and port but the number of a database";
  }
  if (hostname === "") return "must name a host";
  if (protocol === "rediss:" || (protocol === "redis:" && isLoopback(hostname))) return null;
  return "must be a rediss address (redis only for localhost)";
}
