/**
 * The server's configuration file: what may stand in it. Of each value `description` says what it means, `allowed`
 * what it may be where the shape alone does not, and `variable` which environment variable goes before the file.
 * docs/configuration.md is written from here. Reading, and telling what is wrong, is `read`'s.
 */
import { z } from "zod";
import { hostPattern } from "../edge/hosts";
import { faultOfAddress } from "./address";
import { redis } from "./redis-schema";
import { secretPlaces, signIn } from "./sign-in-schema";

/** Secrets travel to these addresses, so plain HTTP is for this machine only. */
const address = z
  .string()
  .check((context) => {
    const fault = faultOfAddress(context.value);
    if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
  })
  .meta({ allowed: "an https address (http only for localhost)" });

const perMinute = z.int().min(1).max(100_000).default(600);

const environment = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lower-case letters, digits and dashes")
    .meta({
      description: "Names the environment in workbooks, so it stays as it is once used. `demo` is taken.",
      allowed: "lower-case letters, digits and dashes",
    }),
  label: z.string().min(1).max(60).meta({ description: "What people see.", allowed: "1 to 60 characters" }),
  kind: z.enum(["sandbox", "production"]).meta({ description: "Whether its numbers are real." }),
  tokenUrl: address.meta({ description: "Where access tokens are issued." }),
  searchUrl: address.meta({ description: "The inventory lookup." }),
  eventsUrl: address.meta({ description: "The transaction history." }),
  credentials: z.enum(["user", "server"]).default("user").meta({
    description:
      "Whose credentials open it: `user`, each person types their own in the pane; `server`, this server holds them, and people sign in (`signIn`).",
  }),
  clientId: z.string().min(1).max(200).optional().meta({
    description: "With `server`: the client ID (consumer ID).",
  }),
  ...secretPlaces("With `server`: the client secret"),
  authorization: z.enum(["bearer", "bare"]).default("bearer").meta({
    description: "How the access token is sent: behind the word `Bearer`, as documented, or alone.",
  }),
  quota: z
    .strictObject({
      search: perMinute.meta({
        description: "Calls of the inventory lookup in any 60 seconds, for the whole company.",
      }),
      events: perMinute.meta({ description: "The same for the transaction history." }),
    })
    .prefault({}),
});

export const settingsSchema = z.strictObject({
  host: z.string().min(1).default("localhost").meta({
    description: "The name or address to listen on. Beyond this machine it needs `tls` or `allowPlainHttp`.",
    variable: "HOST",
  }),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .meta({ description: "0 takes any free one.", variable: "PORT" }),
  tls: z
    .strictObject({
      cert: z
        .string()
        .min(1)
        .meta({ description: "The certificate with its chain: path of a PEM file.", variable: "HTTPS_CERT" }),
      key: z.string().min(1).meta({ description: "Its key: path of a PEM file.", variable: "HTTPS_KEY" }),
    })
    .optional()
    .meta({ description: "Serves HTTPS. Both or none." }),
  allowPlainHttp: z.boolean().default(false).meta({
    description:
      "Listens beyond this machine without `tls`: a proxy before INV speaks HTTPS, and nobody else reaches the port.",
  }),
  trustProxy: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .default([])
    .meta({
      description: "Addresses of the proxies before INV whose word on who asks (`X-Forwarded-For`) is taken.",
      allowed: "addresses or ranges, such as 10.0.0.5 or 10.0.0.0/24",
    }),
  hosts: z
    .array(z.string().regex(hostPattern, 'must be a lower-case name without port, such as "inv.example.com"'))
    .default([])
    .meta({
      description: "Names that people reach this server by, beyond `localhost` and `host`.",
      allowed: "lower-case names without port",
    }),
  frames: z
    .array(
      z.string().regex(/^https:\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/, 'must be like "https://portal.example.com"'),
    )
    .default([])
    .meta({
      description: "Origins beyond Office's own that may show the task pane in a frame.",
      allowed: "origins such as https://portal.example.com",
    }),
  environments: z
    .array(environment)
    .default([])
    .meta({ description: "The service's environments that people may choose, beside the demo." }),
  signIn,
  redis,
  cacheMegabytes: z.int().min(0).max(4_096).default(64).meta({
    description:
      "How much memory answers may take that people share: the server's, or with `redis` that of Redis, for all servers together. 0 keeps none.",
    variable: "INV_CACHE_MEGABYTES",
  }),
  outgoing: z
    .strictObject({
      ca: z.string().min(1).optional().meta({
        description:
          "Certificates of a private authority to trust beside the public ones: path of a PEM file.",
        variable: "INV_CA",
      }),
      proxy: z
        .url({ protocol: /^https?$/ })
        .optional()
        .meta({
          description: "The proxy that calls to the service go through.",
          allowed: "an http or https address",
          variable: "HTTPS_PROXY",
        }),
      noProxy: z.string().default("").meta({
        description: "Hosts that are called without the proxy, comma-separated.",
        variable: "NO_PROXY",
      }),
    })
    .prefault({}),
  stopNoticeSeconds: z.int().min(0).max(60).default(2).meta({
    description:
      "How long everything is still answered after the server was told to stop, while `/readyz` says 503: a load balancer needs longer than it takes to see that.",
    variable: "INV_STOP_NOTICE_SECONDS",
  }),
  templates: z.string().min(1).optional().meta({
    description:
      "A folder of template files (`*.inv.json`) that everybody's gallery shows. Read again when it changes.",
    variable: "INV_TEMPLATES",
  }),
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("info").meta({
    description: "From which level on the log is written. `info` has a line for each call.",
    variable: "INV_LOG_LEVEL",
  }),
});

export type Settings = z.output<typeof settingsSchema>;
