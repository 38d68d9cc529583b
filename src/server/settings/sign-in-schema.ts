/**
 * The settings of signing in, and where a secret stands. Secrets themselves have no setting: a configuration file is
 * copied and mailed. What one setting means for another is looked at in `secret-faults`.
 */
import { z } from "zod";
import { faultOfAddress } from "./address";

/** Where a secret stands: one of the two. */
export function secretPlaces(secret: string) {
  return {
    secretFile: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: `${secret}: path of a file that holds it and nothing else. Read again when it is needed.`,
      }),
    secretVariable: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
      .optional()
      .meta({
        description: "In place of a file: the environment variable that holds it.",
        allowed: "the name of a variable",
      }),
  };
}

const issuer = z
  .string()
  .check((context) => {
    const fault = faultOfAddress(context.value);
    if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
  })
  .meta({
    description: "The provider's issuer, exactly as it names itself.",
    allowed: "an https address (http only for localhost)",
  });

const hours = z.number().min(0.05).max(720);

export const signIn = z
  .strictObject({
    label: z.string().min(1).max(40).meta({
      description: "Where people sign in, as the pane's button names it: `Sign in at ACME`.",
      allowed: "1 to 40 characters",
    }),
    address: z
      .string()
      .regex(
        /^(https:\/\/[a-z0-9.-]+(:\d+)?|http:\/\/localhost(:\d+)?)$/,
        'must be like "https://inv.example.com", without a path',
      )
      .meta({
        description: "The address that people open INV by. The provider sends back to its `/sign-in/back`.",
        allowed: "an https origin (http only for localhost)",
      }),
    issuer,
    clientId: z.string().min(1).max(200).meta({ description: "INV's client ID at the provider." }),
    ...secretPlaces("INV's client secret at the provider"),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a scope without blanks"))
      .default(["openid", "profile"])
      .meta({
        description:
          "What is asked of the provider. `openid` is needed; with `offline_access` most give what INV needs to look again whether somebody may still come in.",
        allowed: "a list of scopes",
      }),
    allow: z
      .strictObject({
        claim: z.string().min(1).max(100).meta({ description: "The claim that says who may come in." }),
        values: z
          .array(z.string().min(1))
          .min(1)
          .meta({ description: "One of these must be its value, or among its values." }),
      })
      .meta({ description: "Who may come in." }),
    idleHours: hours.default(8).meta({
      description: "A session that nobody uses ends after so many hours.",
      allowed: "a number from 0.05 to 720",
    }),
    totalHours: hours.default(12).meta({
      description: "Every session ends after so many hours.",
      allowed: "a number from 0.05 to 720",
    }),
    adminSocket: z.string().min(1).optional().meta({
      description:
        "Where `inv sessions` asks who is signed in and ends sessions: path of a Unix socket, which this account alone can open.",
    }),
    adminPort: z.int().min(1).max(65_535).optional().meta({
      description: "In its place: a port of this machine. Whoever works on the machine can use it.",
    }),
    audit: z.boolean().default(false).meta({
      description: "Logs who signed in and out and when; never what they asked.",
    }),
  })
  .optional()
  .meta({
    description: "People sign in at an OpenID Connect provider; needed where `credentials` is `server`.",
  });
