/**
 * Every setting of the server with what is wrong, doubtful or unusual about it, and the surroundings that it may meet: the one list of what
 * `check.test.ts` runs through `--check`, `--check --connect`, a start, its log and its health. A right value of each is in `everything`.
 */
import type { OwnFolder } from "../helpers/own-folder";
import { selfSigned } from "../helpers/certificate";
import { baseSettings, nowhere, secretText, type Surroundings } from "./settings-surroundings";

export type Words = string | RegExp;

interface Expected {
  /** Both `--check` and the start warn of it in these words. */
  readonly warned?: Words;
  /** `--check --connect` finds this. */
  readonly connect?: Words;
  /** With `connect`: the start finds it too, and ends. */
  readonly endsStart?: true;
  /** A started server warns of this in its log. */
  readonly logged?: Words;
  /** Why a started server calls itself degraded. */
  readonly because?: readonly string[];
}

/**
 * What is tried, the settings, and what is said. Words alone: both `--check` and the start refuse it with them. Nothing: it is right
 * without a word.
 */
type Row = readonly [what: string, settings: object, said?: Expected | Words];

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
const days = (count: number) => Date.now() + count * 86_400_000;

/** By setting, in the schema's order. Each row is run with `port` 0 unless it has a port. */
export function settingsTable(
  folder: OwnFolder,
  around: Surroundings,
): Readonly<Record<string, readonly Row[]>> {
  const parts = baseSettings(folder, around);
  const { certificate, encrypted, file, tlsOf, withTls, secret, service, live, distant, environment } = parts;
  const { signIn, held, published, redis } = parts;
  const redisAway = { because: ["redis"], logged: "INV can't use Redis" };
  const providerAway = (why: string) => ({
    connect: new RegExp(`^The sign-in provider can't be used at .*: ${why}`),
    logged: new RegExp(`^The sign-in provider can't be used at .*: ${why}`),
    because: ["sign-in"],
  });
  const placeOf = (name: string) => `${name}: must be "file:PATH" or "env:NAME"`;
  const wrongType = (name: string, type: string) => `${name}: Invalid input: expected ${type}`;
  const taken = (name: string) => ({
    connect: `${name} ${around.port} is taken by another program. Stop it, or choose another`,
    endsStart: true as const,
  });
  const everybody = "must not be everybody's address";
  const notARange = "trustProxy[0]: must be an address or a range";
  const notAPort = "metricsAddress: must be like";
  const wide = { warned: "trusts every machine in" };

  return {
    host: [
      ["in upper case", { host: "LOCALHOST" }, "host: must be a lower-case name"],
      ["in brackets", { host: "[::1]" }, "host: must be a lower-case name, or an address, without port"],
      ["another address of this machine alone", { host: "127.0.0.2" }],
      ["beyond this machine, without tls", { host: "0.0.0.0", hosts: ["a.example.com"] }, "there is no tls"],
      [
        "every address, without names",
        { host: "0.0.0.0", ...withTls() },
        /hosts is empty, and host is "0\.0\.0\.0"/,
      ],
      [
        "an address of another machine",
        { host: "203.0.113.7", allowPlainHttp: true, demo: true, ...environment({}) },
        { connect: `host "203.0.113.7" isn't a name or address of this machine.`, endsStart: true },
      ],
    ],
    port: [
      ["with a typo", { prot: 3000 }, 'did you mean "port"?'],
      ["too large", { port: 65_536 }, "port: Too big"],
      ["taken", { host: "127.0.0.1", port: around.port }, taken("Port")],
    ],
    monitoringPort: [
      ["as text", { monitoringPort: "9464" }, wrongType("monitoringPort", "number")],
      ["as port", { port: 3000, monitoringPort: 3000 }, "monitoringPort has the same port as port."],
      ["taken", { monitoringPort: around.port }, taken("monitoringPort")],
    ],
    metricsAddress: [
      ["with the same port", { port: 3000, metricsAddress: "0.0.0.0:3000" }, "has the same port as port."],
      // It breaks two rules, and is named once.
      ["without a host", { metricsAddress: ":9465" }, /json: metricsAddress: must be like "[\d.:]+"$/],
      ["without a port", { metricsAddress: "0.0.0.0" }, notAPort],
      ["with an impossible port", { metricsAddress: "[::]:99999" }, notAPort],
      ["taken", { metricsAddress: `127.0.0.1:${around.port}` }, taken("metricsAddress")],
    ],
    tls: [
      ["a list", { tls: [] }, wrongType("tls", "object")],
      ["swapped files", tlsOf(certificate.key, certificate.cert), "Are tls.cert and tls.key swapped?"],
      ["files that belong together", withTls()],
    ],
    "tls.cert": [
      ["missing", { tls: { cert: "/no/cert", key: file("") } }, "tls.cert names a file that can't be read"],
      ["no certificate", tlsOf("nothing", certificate.key), "no certificate in PEM. Convert"],
      ["of PowerShell", { tls: { cert: file(utf16(certificate.cert)), key: file(certificate.key) } }],
      [
        "damaged",
        tlsOf(certificate.cert.replace(/\n[^-]{20}/, "\n"), certificate.key),
        "aren't a certificate and its key in PEM",
      ],
      ["expired", withTls(selfSigned({ from: days(-2), until: days(-1) })), /tls\.cert expired on .* GMT\./],
      ["of tomorrow", withTls(selfSigned({ from: days(1), until: days(90) })), /isn't valid before .* GMT\./],
      [
        "that expires soon",
        withTls(selfSigned({ from: days(-1), until: days(13) })),
        { warned: /tls\.cert expires on .* GMT, in less than 13 days/ },
      ],
      [
        "of another name",
        { ...withTls(), hosts: ["localhost", "inv.example.com"] },
        {
          warned:
            /^tls\.cert isn't for "inv\.example\.com".*it is for DNS:localhost, IP Address:127\.0\.0\.1\.$/,
        },
      ],
      [
        "of a name in its subject alone",
        { ...withTls(selfSigned({ hasNames: false })), hosts: ["localhost"] },
        {
          warned:
            /^tls\.cert isn't for "localhost".*it is for no name, because browsers ignore its subject\.$/,
        },
      ],
    ],
    "tls.key": [
      ["missing", { tls: { cert: "cert.pem" } }, wrongType("tls.key", "string")],
      ["a certificate", tlsOf(certificate.cert, certificate.cert), "tls.key contains no private key in PEM."],
      ["encrypted", tlsOf(certificate.cert, encrypted), "tls.key is encrypted with a password."],
      [
        "of another certificate",
        tlsOf(certificate.cert, selfSigned().key),
        "isn't the key of the first certificate",
      ],
    ],
    allowPlainHttp: [["as text", { allowPlainHttp: "yes" }, wrongType("allowPlainHttp", "boolean")]],
    trustProxy: [
      ["everybody", { trustProxy: ["0.0.0.0/0"] }, everybody],
      ["everybody in IPv6", { trustProxy: ["::/0"] }, everybody],
      ["a range in the other spelling", { trustProxy: ["::ffff:10.0.0.0/104"] }, notARange],
      ["a range that is too long", { trustProxy: ["10.0.0.0/33"] }, notARange],
      ["a name", { trustProxy: ["proxy"] }, notARange],
      ["a wide range", { trustProxy: ["10.0.0.0/8"] }, wide],
      ["a wide IPv6 range", { trustProxy: ["fd00::/8"] }, wide],
      ["a proxy and its network", { trustProxy: ["10.0.0.5", "172.17.0.0/16", "fd00:1:2::/48"] }],
    ],
    hosts: [["with a port", { hosts: ["inv.example.com:3000"] }, "hosts[0]: must be a lower-case name"]],
    frames: [
      [
        "of a whole ending",
        { frames: ["https://*.com"] },
        { warned: /^frames\[0\] allows every site whose name ends with "\.com"/ },
      ],
      ["an impossible port", { frames: ["https://a.example.com:99999"] }, "frames[0]: must be like"],
      ["a policy", { frames: ["https://a.example.com; script-src *"] }, "frames[0]: must be like"],
      ["of one company", { frames: ["https://*.example.com"] }],
    ],
    maxConnections: [["too few", { maxConnections: 15 }, "maxConnections: Too small"]],
    environments: [
      ["twice", { environments: [live, live] }, 'environments[1].id "live" is used twice'],
      [
        "with a typo",
        environment({ lable: "Live" }),
        `environments[0]: "lable" isn't a setting of INV; did you mean "label"?`,
      ],
      [
        "with a secret",
        environment({ clientSecret: secretText }),
        "name isn't a setting of INV; allowed here: id, label",
      ],
      [
        "none, for everybody",
        { host: "0.0.0.0", allowPlainHttp: true, hosts: ["inv.example.com"] },
        { warned: "environments is empty: people see sample stock" },
      ],
      [
        "a service that is away",
        environment(service(nowhere)),
        { connect: `http://127.0.0.1:${nowhere} can't be reached: ECONNREFUSED.` },
      ],
    ],
    "environments[].id": [
      ["reserved", environment({ id: "demo" }), 'environments[0].id "demo" is reserved'],
      ["no part of a path", environment({ id: "../x" }), "environments[0].id: must be 1 to 32"],
    ],
    "environments[].label": [["empty", environment({ label: "" }), "environments[0].label: Too small"]],
    "environments[].kind": [
      ["missing", environment({ kind: undefined }), "environments[0].kind: Invalid option"],
    ],
    "environments[].tokenUrl": [
      ["without TLS", environment({ tokenUrl: "http://a.example.com" }), "must be an https address"],
    ],
    "environments[].searchUrl": [
      [
        "with a user",
        environment({ searchUrl: `https://u:${secretText}@a.example.com` }),
        "must not contain a user name",
      ],
      ["no address", environment({ searchUrl: "api.example.com" }), "searchUrl: must be an https address"],
    ],
    "environments[].eventsUrl": [
      [
        "with a query",
        environment({ eventsUrl: "https://a.example.com/e?" }),
        'eventsUrl: must end before any "?"',
      ],
      ["repeated", environment({ eventsUrl: live.searchUrl }), "is the same address as searchUrl."],
    ],
    "environments[].credentials": [
      [
        "of the server, for everybody",
        { ...held({}), signIn: undefined },
        'environments[0].credentials is "server" without signIn, so anybody who reaches INV could use them.',
      ],
      ["of the server", held({})],
    ],
    "environments[].clientId": [
      ["missing", held({ clientId: undefined }), 'environments[0].clientId is missing; "server" needs it.'],
    ],
    "environments[].secret": [
      ["missing", held({ secret: undefined }), 'environments[0].secret is missing; "server" needs it.'],
      ["itself", held({ secret: secretText }), placeOf("environments[0].secret")],
      ["an empty file", held({ secret: `file:${file("\n")}` }), "it is empty or too long."],
      ["that people type", held({ credentials: "user" }), "Remove environments[0].secret"],
      [
        "wrong",
        held({ secret: `file:${file("another")}` }),
        { connect: "live: The service refuses the credentials that the server holds." },
      ],
    ],
    "environments[].authorization": [
      ["of another kind", environment({ authorization: "basic" }), "authorization: Invalid option"],
    ],
    "environments[].quota.search": [
      ["none", environment({ quota: { search: 0 } }), "quota.search: Too small: expected number to be >=1"],
    ],
    "environments[].quota.events": [
      ["without end", environment({ quota: { events: 1e6 } }), "quota.events: Too big"],
    ],
    demo: [["as text", { demo: "yes" }, wrongType("demo", "boolean")]],
    signIn: [
      ["a list", { signIn: [] }, wrongType("signIn", "object")],
      ["alone", signIn({})],
    ],
    "signIn.label": [["empty", signIn({ label: "" }), "signIn.label: Too small"]],
    "signIn.address": [
      ["with a path", signIn({ address: "https://a.example.com/inv" }), "signIn.address: must be like"],
      [
        "with an impossible port",
        signIn({ address: "https://a.example.com:99999" }),
        "signIn.address: must be like",
      ],
      [
        "of no name in hosts",
        signIn({ address: "https://a.example.com" }),
        "signIn.address uses a.example.com. Add it to hosts.",
      ],
    ],
    "signIn.issuer": [
      ["without TLS", signIn({ issuer: "http://login.example.com" }), "must be an https address"],
      ["away", signIn({ issuer: `http://localhost:${nowhere}` }), providerAway(".*ECONNREFUSED")],
      [
        "no provider",
        signIn({ issuer: `http://localhost:${around.port}/none` }),
        providerAway("it answers with status 404"),
      ],
      [
        "out of order",
        signIn({ issuer: `http://localhost:${around.port}/down` }),
        providerAway("it answers with status 503"),
      ],
      [
        "spelled otherwise",
        signIn({ issuer: `http://localhost:${around.port}/slash` }),
        providerAway('it calls itself "http://localhost/slash/", and signIn.issuer must be exactly that'),
      ],
      [
        "with another clock",
        signIn({ issuer: `http://localhost:${around.port}/late` }),
        providerAway("this server's clock is 10 minutes ahead of the provider's. Set it"),
      ],
    ],
    "signIn.clientId": [["empty", signIn({ clientId: "" }), "signIn.clientId: Too small"]],
    "signIn.secret": [
      [
        "of several lines",
        signIn({ secret: `file:${file("one\ntwo")}` }),
        { warned: "signIn.secret names a file with several lines" },
      ],
      [
        "missing",
        signIn({ secret: "file:/nowhere" }),
        "signIn.secret names a file that can't be used: it doesn't exist",
      ],
      ["itself", signIn({ secret: secretText }), placeOf("signIn.secret")],
      // On Windows it doesn't exist.
      [
        "a device",
        signIn({ secret: "file:/dev/zero" }),
        /signIn\.secret names a file that can't be used: it (isn't a regular file|doesn't exist)\./,
      ],
    ],
    "signIn.scopes": [
      ["without openid", signIn({ scopes: ["profile"] }), 'signIn.scopes must contain "openid".'],
      ["in one text", signIn({ scopes: ["openid profile"] }), "must be a scope without blanks"],
    ],
    "signIn.allow": [["missing", signIn({ allow: undefined }), wrongType("signIn.allow", "object")]],
    "signIn.allow.claim": [
      ["empty", signIn({ allow: { claim: "", values: ["a"] } }), "signIn.allow.claim: Too small"],
    ],
    "signIn.allow.values": [
      ["nobody", signIn({ allow: { claim: "groups", values: [] } }), "signIn.allow.values: Too small"],
    ],
    "signIn.templates": [["true", signIn({ templates: true }), wrongType("signIn.templates", "object")]],
    "signIn.templates.folder": [
      [
        "missing",
        signIn({ templates: { ...published, folder: "/nowhere" } }),
        "signIn.templates.folder names a folder that can't be written to: it doesn't exist.",
      ],
    ],
    "signIn.templates.claim": [
      [
        "missing",
        signIn({ templates: { ...published, claim: undefined } }),
        wrongType("signIn.templates.claim", "string"),
      ],
    ],
    "signIn.templates.values": [
      ["nobody", signIn({ templates: { ...published, values: [] } }), "signIn.templates.values: Too small"],
    ],
    "signIn.idleHours": [
      [
        "more than totalHours",
        signIn({ idleHours: 20 }),
        "signIn.idleHours must not be more than signIn.totalHours.",
      ],
    ],
    "signIn.totalHours": [["of a year", signIn({ totalHours: 8_760 }), "signIn.totalHours: Too big"]],
    "signIn.audit": [["as text", signIn({ audit: "yes" }), wrongType("signIn.audit", "boolean")]],
    redis: [
      ["its address alone", { redis: "redis://localhost" }, wrongType("redis", "object")],
      [
        "with a secret",
        redis({ secret: secretText }),
        "redis: 1 name isn't a setting of INV; allowed here: url, prefix",
      ],
    ],
    "redis.url": [
      ["missing", { redis: {} }, wrongType("redis.url", "string")],
      ["of another kind", redis({ url: "https://r.example.com" }), "redis.url: must be a rediss address"],
      ["without TLS", redis({ url: "redis://r.example.com" }), "redis.url: must be a rediss address"],
      ["without a host", redis({ url: "rediss://" }), "redis.url: must name a host"],
      [
        "with a password",
        redis({ url: `rediss://:${secretText}@r.example.com` }),
        "must not contain a user name or password",
      ],
      [
        "with a path",
        redis({ url: "rediss://r.example.com/keys" }),
        "may have nothing behind host and port but",
      ],
      [
        "with a query",
        redis({ url: `rediss://r.example.com?db=${secretText}` }),
        'must end before any "?" or "#"',
      ],
      [
        "without TLS, by a name that demands it",
        redis({ url: `rediss://localhost:${around.port}` }),
        { ...redisAway, connect: "no TLS connection (ERR_SSL_WRONG_VERSION_NUMBER)" },
      ],
      [
        "of another program",
        redis({ url: `redis://127.0.0.1:${around.port}` }),
        { ...redisAway, connect: "redis cannot be used: what answers there isn't Redis." },
      ],
      ["away", redis({}), { ...redisAway, connect: /^redis cannot be used: .*ECONNREFUSED/ }],
    ],
    "redis.prefix": [
      ["with a blank", redis({ prefix: "a b:" }), "redis.prefix: must be 1 to 63 letters"],
      ["in another", redis({ prefix: "inv:acme:" }), "redis.prefix: must be 1 to 63 letters"],
    ],
    "redis.ca": [
      ["missing", redis({ ca: "nowhere" }), "redis.ca names a file that can't be read: it doesn't exist."],
    ],
    "redis.user": [["alone", redis({ user: secret }), "redis.user needs redis.password."]],
    "redis.password": [
      ["itself", redis({ password: secretText }), placeOf("redis.password")],
      [
        "missing",
        redis({ password: "file:nowhere" }),
        "redis.password names a file that can't be used: it doesn't exist.",
      ],
      [
        "wrong",
        redis({ url: `redis://127.0.0.1:${around.redisPort}`, password: secret }),
        { ...redisAway, connect: /^redis cannot be used: WRONGPASS/ },
      ],
    ],
    cacheMegabytes: [
      [
        "beyond Node's memory",
        { cacheMegabytes: 4_096 },
        { warned: /^cacheMegabytes is 4096, and Node may use \d+ MB in all/ },
      ],
      [
        "beyond Node's memory, in Redis",
        { cacheMegabytes: 4_096, ...redis({}) },
        { ...redisAway, connect: /ECONNREFUSED/ },
      ],
    ],
    "outgoing.ca": [
      ["missing", { outgoing: { ca: "/no/ca" } }, "outgoing.ca names a file that can't be read"],
      ["no certificate", { outgoing: { ca: file("no PEM") } }, "outgoing.ca contains no certificates in PEM"],
    ],
    "outgoing.proxy": [
      [
        "with an impossible port",
        { outgoing: { proxy: "http://p.example.com:99999" } },
        "outgoing.proxy must be",
      ],
      [
        "away",
        // Only calls with TLS leave through it.
        { ...environment(distant), outgoing: { proxy: `http://127.0.0.1:${nowhere}` } },
        { connect: "outgoing.proxy can't be reached: ECONNREFUSED." },
      ],
    ],
    "outgoing.noProxy": [
      ["an address", { outgoing: { noProxy: ["http://a"] } }, "outgoing.noProxy[0]: must be a host"],
    ],
    stopNoticeSeconds: [["too long", { stopNoticeSeconds: 61 }, "stopNoticeSeconds: Too big"]],
    templates: [
      [
        "missing",
        { templates: "/nowhere" },
        "templates names a folder that can't be read: it doesn't exist.",
      ],
      ["a file", { templates: file("") }, "templates names a folder that can't be read: it isn't a folder."],
    ],
    logLevel: [["of another program", { logLevel: "debug" }, "logLevel: Invalid option"]],
    everything: [
      [
        "at once",
        {
          ...{ host: "127.0.0.1", monitoringPort: 0, metricsAddress: "127.0.0.1:0", ...withTls() },
          ...{ allowPlainHttp: true, trustProxy: ["127.0.0.1"], hosts: ["localhost"], maxConnections: 64 },
          ...held({ authorization: "bare", quota: { search: 60, events: 60 } }),
          ...{ frames: ["https://a.example.com"], demo: true, cacheMegabytes: 8, stopNoticeSeconds: 0 },
          ...signIn({ scopes: ["openid"], templates: published, idleHours: 1, totalHours: 2, audit: true }),
          ...redis({ prefix: "a:", ca: file(certificate.cert), user: secret, password: secret }),
          ...{ templates: folder.path, logLevel: "info" },
          outgoing: {
            ...{ ca: file(certificate.cert), proxy: `http://127.0.0.1:${nowhere}` },
            noProxy: ["localhost", "127.0.0.1"],
          },
        },
        { ...redisAway, connect: /ECONNREFUSED/ },
      ],
    ],
  };
}
