/**
 * The schema of the configuration file, from which docs/settings.md is generated. `description` gives
 * the meaning of a value, and `allowed` its permitted values if the type doesn't.
 */
import { isIP } from "node:net";
import { z } from "zod";
import { hostPattern, isLoopback } from "../edge/hosts";
import { address } from "./address";
import { secretLocation, signIn } from "./sign-in-schema";

const perMinute = z.int().min(1).max(100_000).default(600);

const environmentFields = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lower-case letters, digits and dashes")
    .meta({
      description:
        "The environment's name in workbooks. Don't change it once it is used. `demo`, `embedded-sandbox` and `embedded-production` are reserved.",
      allowed: "lower-case letters, digits and dashes",
    }),
  label: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: "Its name in the pane. By default, the `id`.", allowed: "1 to 60 characters" }),
  kind: z
    .enum(["sandbox", "production"])
    .meta({ description: "`production` if the numbers are real, otherwise `sandbox`." }),
  tokenUrl: address.meta({ description: "Address that issues access tokens." }),
  searchUrl: address.meta({ description: "Address of the inventory lookup." }),
  eventsUrl: address.meta({ description: "Address of the transaction history." }),
  credentials: z.enum(["user", "server"]).default("user").meta({
    description:
      "Whose credentials are used. `user`: each person types their own in the pane. `server`: this server has them, and people sign in (`signIn`).",
  }),
  clientId: z.string().min(1).max(200).optional().meta({
    description: "With `server`: the client ID (consumer ID).",
  }),
  secret: secretLocation.optional().meta({ description: "With `server`: the place of the client secret." }),
  authorization: z.enum(["bearer", "bare"]).default("bearer").meta({
    description:
      "How the access token is sent. `bearer`: after the word `Bearer`, as documented. `bare`: without it.",
  }),
  quota: z
    .strictObject({
      search: perMinute.meta({
        description: "Requests of the inventory lookup that the whole company may make in any 60 seconds.",
      }),
      events: perMinute.meta({ description: "The same for the transaction history." }),
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
    user: secretLocation
      .optional()
      .meta({ description: "The place of the user's name in Redis, if it isn't `default`." }),
    password: secretLocation.optional().meta({ description: "The place of the password." }),
  })
  .optional()
  .meta({
    description:
      "Servers with the same Redis (version 7 or later) and prefix share quota, answers, tokens and sessions.",
  });

const environment = environmentFields.transform((given) => ({ ...given, label: given.label ?? given.id }));

export const settingsSchema = z.strictObject({
  host: z.string().min(1).default("localhost").meta({
    description:
      "The name or address to listen on. Anything beyond this machine needs `tls` or `allowPlainHttp`.",
  }),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .meta({ description: "The port to listen on; 0 chooses a free one." }),
  monitoringPort: z.int().min(0).max(65_535).optional().meta({
    description:
      "A second port, only on 127.0.0.1, for `/metrics` and `/sessions`. Everybody who works on the machine can use it.",
  }),
  metricsAddress: z
    .string()
    .regex(/^(\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i, 'must be like "0.0.0.0:9465"')
    .refine((text) => URL.canParse(`http://${text}`), 'must be like "0.0.0.0:9465"')
    .optional()
    .meta({
      description:
        "An address and port of their own for `/metrics`, without `/sessions` and under any host name, for a container. Only Prometheus may reach it.",
      allowed: "such as 0.0.0.0:9465",
    }),
  tls: z
    .strictObject({
      cert: z.string().min(1).meta({ description: "The certificate with its chain: path of a PEM file." }),
      key: z.string().min(1).meta({ description: "The certificate's key: path of a PEM file." }),
    })
    .optional()
    .meta({ description: "With `cert` and `key`, the server uses HTTPS itself." }),
  allowPlainHttp: z.boolean().default(false).meta({
    description:
      "Allows plain HTTP beyond this machine. Only for a server behind a proxy with HTTPS, if nobody else can reach its port.",
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
      description: "Addresses of the proxies in front of INV whose `X-Forwarded-For` is trusted.",
      allowed: "addresses or ranges, such as 10.0.0.5 or 10.0.0.0/24",
    }),
  hosts: z
    .array(z.string().regex(hostPattern, 'must be a lower-case name without port, such as "inv.example.com"'))
    .default([])
    .meta({
      description: "Names under which people reach this server, in addition to `localhost` and `host`.",
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
      description: "Origins that may show the task pane in a frame, in addition to Office's own.",
      allowed: "origins such as https://portal.example.com",
    }),
  maxConnections: z.int().min(16).max(65_535).default(4_096).meta({
    description:
      "How many connections of people the server accepts at once. It refuses new ones beyond that. A browser opens up to six.",
  }),
  environments: z.array(environment).default([]).meta({
    description:
      "The service's environments that people can choose. Without any, the server offers the embedded service's.",
  }),
  demo: z.boolean().default(false).meta({
    description: "Offers the demo too, after the `environments`. It shows sample stock.",
  }),
  signIn,
  redis,
  cacheMegabytes: z.int().min(0).max(4_096).default(64).meta({
    description:
      "Memory for the answers that people share: in this server or, with `redis`, in Redis for all servers together. 0 stores none.",
  }),
  outgoing: z
    .strictObject({
      ca: z.string().min(1).optional().meta({
        description: "As `redis.ca`, for the service and the sign-in provider.",
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
            "Your company's outgoing proxy. If its address contains a password, the place of the address.",
          allowed: 'an http or https address, `"file:PATH"` or `"env:NAME"`',
        }),
      noProxy: z
        .array(z.string().regex(/^[\w.*:[\]-]+$/, "must be a host"))
        .default([])
        .meta({ description: "Hosts that INV calls without the proxy.", allowed: "a list of hosts" }),
    })
    .prefault({}),
  stopNoticeSeconds: z.int().min(0).max(60).default(2).meta({
    description:
      "How long the server still answers after a stop signal, while `/readyz` answers 503. Behind a load balancer, longer than it needs to notice.",
  }),
  templates: z.string().min(1).optional().meta({
    description:
      "A folder of template files (`*.inv.json`), shown in everybody's gallery. It is read again when it changes.",
  }),
  logLevel: z.enum(["info", "warn"]).default("info").meta({
    description: "The lowest level that is logged. `info` has a line for each call.",
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
