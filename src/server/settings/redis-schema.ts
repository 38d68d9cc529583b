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
        description:
          "The address of Redis, `rediss://host:port`. With `/1` at the end, database 1 instead of 0.",
        allowed: "a rediss address (redis only for localhost)",
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
        description: "The prefix of INV's keys. Servers with the same prefix act as one.",
        allowed: "1 to 63 letters, digits and `.` `_` `-`, then `:`",
      }),
    ca: z.string().min(1).optional().meta({
      description:
        "Path of a PEM file with a private authority's certificates, which are trusted in addition to the public ones.",
    }),
    user: secretPlace
      .optional()
      .meta({ description: "The place of the user's name in Redis, if it isn't `default`." }),
    password: secretPlace
      .optional()
      .meta({ description: "The place of the password. A file is read again for each use." }),
  })
  .optional()
  .meta({
    description:
      "Servers with the same Redis (version 7 or later) and prefix share quota, answers, tokens and sessions.",
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
