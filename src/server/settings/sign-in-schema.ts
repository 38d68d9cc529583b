/**
 * The settings of sign-in, and the locations of secrets. No setting contains a secret, because people copy
 * and email configuration files. `secret-faults` finds contradictions between settings.
 */
import { z } from "zod";
import { address } from "./address";

export const secretPlace = z
  .string()
  .regex(/^(file:.+|env:[A-Za-z_][A-Za-z0-9_]*)$/, 'must be "file:PATH" or "env:NAME"')
  .meta({ allowed: '"file:PATH" or "env:NAME"' });

const hours = z.number().min(0.05).max(720);

export const signIn = z
  .strictObject({
    label: z.string().min(1).max(40).meta({
      description: "What the pane's button names: `Sign in at ACME`.",
      allowed: "1 to 40 characters",
    }),
    address: z
      .string()
      .regex(
        /^(https:\/\/[a-z0-9.-]+(:\d+)?|http:\/\/localhost(:\d+)?)$/,
        'must be like "https://inv.example.com", without a path',
      )
      .meta({
        description:
          "The address at which people open INV. The provider sends them back to its `/sign-in/back`.",
        allowed: "an https origin (http only for localhost)",
      }),
    issuer: address.meta({ description: "The provider's issuer, exactly as it names itself." }),
    clientId: z.string().min(1).max(200).meta({ description: "INV's client ID at the provider." }),
    secret: secretPlace.meta({
      description:
        "INV's client secret at the provider: a file that contains nothing else, or an environment variable. A file is read whenever it is needed.",
    }),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a scope without blanks"))
      .default(["openid", "profile"])
      .meta({
        description:
          "What INV asks the provider for. `openid` is needed. With `offline_access` most providers let INV check later whether somebody may still come in.",
        allowed: "a list of scopes",
      }),
    allow: z
      .strictObject({
        claim: z.string().min(1).max(100).meta({ description: "The claim that says who may come in." }),
        values: z
          .array(z.string().min(1))
          .min(1)
          .meta({ description: "The claim must be one of these or, where it is a list, hold one of them." }),
      })
      .meta({ description: "Who may come in." }),
    verifiedEmail: z.boolean().default(false).meta({
      description:
        "Whether the claim `email` counts only beside `email_verified`. Without it, an address that comes without that claim counts; one that is marked as not verified never does.",
    }),
    templates: z
      .strictObject({
        folder: z.string().min(1).meta({
          description:
            "A folder that the server may write to. It holds what people publish, and nothing else.",
        }),
        claim: z
          .string()
          .min(1)
          .max(100)
          .meta({ description: "The claim that says who may publish templates." }),
        values: z
          .array(z.string().min(1))
          .min(1)
          .meta({ description: "The claim must be one of these or, where it is a list, hold one of them." }),
      })
      .optional()
      .meta({ description: "Lets people publish templates from the pane." }),
    idleHours: hours.default(8).meta({
      description: "A session ends after so many hours without use.",
      allowed: "a number from 0.05 to 720",
    }),
    totalHours: hours.default(12).meta({
      description: "Every session ends after so many hours.",
      allowed: "a number from 0.05 to 720",
    }),
    audit: z.boolean().default(false).meta({
      description: "Logs who signed in and out and who was kept out, and when; never what they asked for.",
    }),
  })
  .optional()
  .meta({
    description: "Lets people sign in at an OpenID Connect provider. Needed where `credentials` is `server`.",
  });
