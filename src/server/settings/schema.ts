/**
 * The schema of the configuration file, from which docs/settings.md is generated. `description` gives the meaning of a value, and
 * `allowed` its permitted values if the type doesn't. No setting contains a secret, because people copy and email configuration files.
 * `secret-faults` finds contradictions between settings.
 */
import { isIP } from "node:net";
import { z } from "zod";
import { hostPattern, isLoopback } from "../edge/hosts";
import { address } from "./address";

const secretLocation = z
  .string()
  .regex(/^(file:.+|env:[A-Za-z_][A-Za-z0-9_]*)$/, 'must be "file:PATH" or "env:NAME"');

const perMinute = z.int().min(1).max(100_000).default(600);

const environmentFields = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be 1 to 32 lower-case letters, digits and dashes, a letter first")
    .meta({
      description:
        "The environment's name in workbooks: never change it. `demo`, `embedded-sandbox` and `embedded-production` are reserved.",
      allowed: "lower-case letters, digits and dashes",
    }),
  label: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: "Its name in the pane; without it, the `id`.", allowed: "1 to 60 characters" }),
  kind: z.enum(["sandbox", "production"]).meta({ description: "`production` if the numbers are real." }),
  tokenUrl: address.meta({ description: "Where access tokens come from." }),
  searchUrl: address.meta({ description: "The inventory lookup." }),
  eventsUrl: address.meta({ description: "The transaction history." }),
  credentials: z.enum(["user", "server"]).default("user").meta({
    description:
      "`user`: each person types their own in the pane. `server`: this server has them, and people sign in.",
  }),
  clientId: z.string().min(1).max(200).optional().meta({
    description: "With `server`: the client ID.",
  }),
  secret: secretLocation.optional().meta({ description: "With `server`: the place of the client secret." }),
  authorization: z.enum(["bearer", "bare"]).default("bearer").meta({
    description: "`bearer`: the access token follows the word `Bearer`, as documented. `bare`: without it.",
  }),
  quota: z
    .strictObject({
      search: perMinute.meta({
        description: "Lookups that the whole company may make in any 60 seconds.",
      }),
      events: perMinute.meta({ description: "The same for histories." }),
    })
    .prefault({}),
});

/** They name the locations of user and password, never the values. */
const redis = z
  .strictObject({
    url: z
      .string()
      .check((context) => {
        const fault = faultOfRedisUrl(context.value);
        if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
      })
      .meta({
        description: "`rediss://host:port`; with `/1` at the end, database 1 instead of 0.",
        allowed: "a rediss address, redis for localhost",
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
        description: "The start of INV's keys. Servers with the same prefix act as one.",
        allowed: "1 to 63 letters, digits and `.` `_` `-`, then `:`",
      }),
    ca: z.string().min(1).optional().meta({
      description: "PEM file of a private authority, trusted besides the public ones.",
    }),
    user: secretLocation
      .optional()
      .meta({ description: "The place of the user's name, if it isn't `default`." }),
    password: secretLocation.optional().meta({ description: "The place of the password." }),
  })
  .optional()
  .meta({
    description: "Lets several servers act as one. Version 7 or later.",
  });

const claim = z.string().min(1).max(100);
const values = z.array(z.string().min(1)).min(1);
const hours = z.number().min(0.05).max(720);

const signIn = z
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

const environment = environmentFields.transform((given) => ({ ...given, label: given.label ?? given.id }));

export const settingsSchema = z.strictObject({
  host: z
    .string()
    .regex(
      /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]+)$/,
      "must be a lower-case name, or an address, without port",
    )
    .default("localhost")
    .meta({
      description: "Where to listen. Beyond this machine it needs `tls` or `allowPlainHttp`.",
    }),
  port: z.int().min(0).max(65_535).default(3000).meta({ description: "0 chooses a free one." }),
  monitoringPort: z.int().min(0).max(65_535).optional().meta({
    description:
      "A port on 127.0.0.1 for `/metrics` and `/sessions`, which everybody who works on the machine can use.",
  }),
  metricsAddress: z
    .string()
    .regex(/^(\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i, 'must be like "0.0.0.0:9465"')
    .refine((text) => URL.canParse(`http://${text}`), 'must be like "0.0.0.0:9465"')
    .optional()
    .meta({
      description:
        "An address for `/metrics` alone, under any host name, for a container. Only Prometheus may reach it.",
      allowed: "such as 0.0.0.0:9465",
    }),
  tls: z
    .strictObject({
      cert: z.string().min(1).meta({ description: "PEM file of the certificate with its chain." }),
      key: z.string().min(1).meta({ description: "PEM file of its key." }),
    })
    .optional()
    .meta({ description: "The server speaks HTTPS itself." }),
  allowPlainHttp: z.boolean().default(false).meta({
    description:
      "Allows plain HTTP beyond this machine: only behind a proxy with HTTPS, if nobody else can reach the port.",
  }),
  trustProxy: z
    .array(
      z.string().check((context) => {
        const fault = faultOfProxies(context.value);
        if (fault !== null) context.issues.push({ code: "custom", message: fault, input: context.value });
      }),
    )
    .default([])
    .meta({
      description: "Proxies in front of INV whose `X-Forwarded-For` is trusted.",
      allowed: "addresses or ranges, such as 10.0.0.0/24",
    }),
  hosts: z
    .array(z.string().regex(hostPattern, 'must be a lower-case name without port, such as "inv.example.com"'))
    .default([])
    .meta({
      description: "Names under which people reach this server, besides `localhost` and `host`.",
      allowed: "lower-case names without port",
    }),
  frames: z
    .array(
      z
        .string()
        .regex(/^https:\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/, 'must be like "https://portal.example.com"')
        .refine(URL.canParse, 'must be like "https://portal.example.com"'),
    )
    .default([])
    .meta({
      description: "Origins that may frame the pane, besides Office's own.",
      allowed: "such as https://portal.example.com",
    }),
  maxConnections: z.int().min(16).max(65_535).default(4_096).meta({
    description: "Connections of people at once; a browser opens up to six. Others are refused.",
  }),
  environments: z.array(environment).default([]).meta({
    description: "What people can choose. Without any, the server offers the embedded service's.",
  }),
  demo: z.boolean().default(false).meta({
    description: "Offers the demo too, with sample stock.",
  }),
  signIn,
  redis,
  cacheMegabytes: z.int().min(0).max(4_096).default(64).meta({
    description:
      "Memory for the answers that people share, in this server or in Redis for all servers. 0 stores none.",
  }),
  outgoing: z
    .strictObject({
      ca: z.string().min(1).optional().meta({
        description: "As `redis.ca`, for service and sign-in provider.",
      }),
      proxy: z
        .string()
        .regex(
          /^(https?:\/\/[^/@\s]+\/?|file:.+|env:[A-Za-z_]\w*)$/,
          'must be an http or https address without a password, "file:PATH" or "env:NAME"',
        )
        .optional()
        .meta({
          description:
            "Your company's outgoing proxy; if its address contains a password, the address's place.",
        }),
      noProxy: z
        .array(z.string().regex(/^[\w.*:[\]-]+$/, "must be a host"))
        .default([])
        .meta({ description: "Hosts that INV calls without the proxy." }),
    })
    .prefault({}),
  stopNoticeSeconds: z.int().min(0).max(60).default(2).meta({
    description:
      "How long the server still answers after a stop signal, while `/readyz` answers 503: longer than a load balancer needs to notice.",
  }),
  templates: z.string().min(1).optional().meta({
    description:
      "A folder of template files (`*.inv.json`) for everybody's gallery, read again when it changes.",
  }),
  logLevel: z.enum(["info", "warn"]).default("info").meta({
    description: "`info` has a line for each call.",
  }),
});

export type Settings = z.output<typeof settingsSchema>;

/** Fastify accepts neither everybody's address nor an IPv4 address in IPv6 with a range. */
function faultOfProxies(text: string): string | null {
  const [, address = text, bits] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0 || /^::ffff:/i.test(address) || Number(bits ?? 1) > (family === 4 ? 32 : 128)) {
    return "must be an address or a range";
  }
  return Number(bits ?? 1) === 0
    ? "must not be everybody's address: then each person could pretend to be another. Name only your proxies"
    : null;
}

/** Does the same for Redis as `faultOfAddress` for the service. No message repeats the address: it may contain a password. */
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
