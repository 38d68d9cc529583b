/**
 * The settings of sign-in, and the locations of secrets. No setting contains a secret, because people copy
 * and email configuration files. `secret-faults` finds contradictions between settings.
 */
import { z } from "zod";
import { address } from "./address";

export const secretLocation = z
  .string()
  .regex(/^(file:.+|env:[A-Za-z_][A-Za-z0-9_]*)$/, 'must be "file:PATH" or "env:NAME"');

const claim = z.string().min(1).max(100);
const values = z.array(z.string().min(1)).min(1);
const hours = z.number().min(0.05).max(720);

export const signIn = z
  .strictObject({
    label: z.string().min(1).max(40).meta({
      description: "The name on the button `Sign in at …`.",
      allowed: "1 to 40 characters",
    }),
    address: z
      .string()
      .regex(
        /^(https:\/\/[a-z0-9.-]+(:\d+)?|http:\/\/localhost(:\d+)?)$/,
        'must be like "https://inv.example.com", without a path',
      )
      .refine(URL.canParse, 'must be like "https://inv.example.com", without a path')
      .meta({
        description: "Where people open INV. The provider sends them back to `/sign-in/back` there.",
        allowed: "an https origin, http for localhost",
      }),
    issuer: address.meta({ description: "The provider's issuer, as it spells it." }),
    clientId: z.string().min(1).max(200).meta({ description: "INV's client ID at the provider." }),
    secret: secretLocation.meta({ description: "The place of INV's client secret at the provider." }),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a scope without blanks"))
      .default(["openid", "profile"])
      .meta({
        description:
          "`openid` is needed. With `offline_access`, INV can ask most providers every ten minutes whether a person is still allowed.",
      }),
    allow: z
      .strictObject({
        claim: claim.meta({
          description: "The claim that decides. `email` counts only with `email_verified`.",
        }),
        values: values.meta({
          description: "The claim must be, or contain, one of these.",
        }),
      })
      .meta({ description: "Who may sign in." }),
    templates: z
      .strictObject({
        folder: z.string().min(1).meta({
          description: "A folder only for published templates, which the server may write to.",
        }),
        claim: claim.meta({ description: "The claim that decides who may publish." }),
        values: values.meta({ description: "As in `signIn.allow`." }),
      })
      .optional()
      .meta({ description: "Lets people publish templates." }),
    idleHours: hours.default(8).meta({
      description: "Hours without use after which a session ends.",
      allowed: "0.05 to 720",
    }),
    totalHours: hours.default(12).meta({
      description: "Hours after which every session ends.",
      allowed: "0.05 to 720",
    }),
    audit: z.boolean().default(false).meta({
      description:
        "Logs who signed in and out, was refused, or published templates; never what they looked up.",
    }),
  })
  .optional()
  .meta({
    description: "Lets people sign in with OpenID Connect. Needed if `credentials` is `server`.",
  });
