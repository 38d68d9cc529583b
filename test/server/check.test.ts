/** A start and `--check` refuse the same settings in the same words, and `--check --connect` tries connections. About 5 s. */
import { createPrivateKey } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp, plugIns } from "../../src/server/app";
import { readSettings } from "../../src/server/settings/read";
import { createFaults } from "../../src/embedded-service/fault-switches";
import { ConfigError } from "../../src/server/settings/config-error";
import { tryConnections } from "../../src/server/try-connections";
import { selfSigned } from "../helpers/certificate";
import { ownFolder } from "../helpers/own-folder";
import { fc, slowRuns } from "../helpers/properties";
import { clockOf, silentLog } from "./parts";

const folder = ownFolder();
const certificate = selfSigned();

const live = {
  id: "live",
  label: "Live",
  kind: "production",
  tokenUrl: "https://auth.example.com/token",
  searchUrl: "https://api.example.com/search-items",
  eventsUrl: "https://api.example.com/events",
};
/** The server has everybody's credentials, and the systemd unit contains the secrets. */
const signedIn = {
  hosts: ["inv.example.com"],
  environments: [{ ...live, credentials: "server", clientId: "acme", secret: "env:LIVE_SECRET" }],
  signIn: {
    label: "Example",
    address: "https://inv.example.com",
    issuer: "https://login.example.com",
    clientId: "inv",
    secret: "env:SIGN_IN_SECRET",
    allow: { claim: "groups", values: ["planners"] },
  },
};
const withTls = ({ cert, key } = certificate) => ({
  tls: { cert: folder.write("cert.pem", cert), key: folder.write("key.pem", key) },
});

/** What `--check` reads. */
function check(settings: object, nowMs?: number) {
  const warnings: string[] = [];
  const source = { path: folder.write("inv.json", settings), variables: { LINES: "one\ntwo" } };
  const reading = { isCheck: true, warn: (warning: string) => void warnings.push(warning) };
  const config = readSettings(source, nowMs === undefined ? reading : { ...reading, nowMs });
  return { config, warnings };
}

/** What a start does before it opens a port or a connection. */
async function start(settings: object) {
  const warnings: string[] = [];
  const source = { path: folder.write("inv.json", settings), variables: { LINES: "one\ntwo" } };
  const config = readSettings(source, { warn: (warning) => void warnings.push(warning) });
  const app = await createApp(
    {
      ...{ config, folder: folder.path, now: () => performance.now(), log: silentLog },
      embedded: { worlds: [], faults: createFaults(), faultSwitches: false, announce: () => undefined },
    },
    config.redis === null && config.signIn === undefined ? plugIns : [],
  );
  await app.close();
  return { warnings };
}

const outcomeOf = async (read: () => unknown) => {
  try {
    const { warnings } = (await read()) as { warnings: readonly string[] };
    return { refused: null, warnings };
  } catch (error) {
    const refused = error instanceof ConfigError ? error.message : error;
    return { refused, warnings: [] };
  }
};

const days = (count: number) => Date.now() + count * 86_400_000;
const tlsOf = (cert: string, key: string) => ({
  tls: { cert: folder.write("other-cert.pem", cert), key: folder.write("other-key.pem", key) },
});
const encrypted = () =>
  createPrivateKey(certificate.key)
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" })
    .toString();
const wide = "trusts every machine in";
const everybody = "must not be everybody's address";

/** Settings that were wrong once, or that only a start refused. Null: right without a word. */
const tried: readonly (readonly [
  string,
  () => object,
  { refused?: string | RegExp; warned?: string | RegExp } | null,
])[] = [
  ["nothing", () => ({}), null],
  ["a setting with a typo", () => ({ prot: 3000 }), { refused: 'did you mean "port"?' }],
  [
    "a setting of an environment with a typo",
    () => ({ environments: [{ ...live, lable: "Live" }] }),
    { refused: 'environments[0]: "lable" isn\'t a setting of INV; did you mean "label"?' },
  ],
  [
    "one address for two operations",
    () => ({ environments: [{ ...live, eventsUrl: live.searchUrl }] }),
    { refused: "environments[0].eventsUrl is the same address as searchUrl." },
  ],
  [
    "no names of the server",
    () => ({ host: "0.0.0.0", ...withTls() }),
    { refused: /hosts is empty, and host is "0\.0\.0\.0"/ },
  ],
  ["everybody as a proxy", () => ({ trustProxy: ["0.0.0.0/0"] }), { refused: everybody }],
  ["everybody's IPv6 address as a proxy", () => ({ trustProxy: ["::/0"] }), { refused: everybody }],
  [
    "a range in the other spelling",
    () => ({ trustProxy: ["::ffff:10.0.0.0/104"] }),
    { refused: "trustProxy[0]: must be an address or a range" },
  ],
  [
    "a range that is too long",
    () => ({ trustProxy: ["10.0.0.0/33"] }),
    { refused: "trustProxy[0]: must be an address or a range" },
  ],
  ["a wide range of proxies", () => ({ trustProxy: ["10.0.0.0/8"] }), { warned: wide }],
  ["a wide IPv6 range of proxies", () => ({ trustProxy: ["fd00::/8"] }), { warned: wide }],
  ["a proxy and its network", () => ({ trustProxy: ["10.0.0.5", "172.17.0.0/16", "fd00:1:2::/48"] }), null],
  [
    "frames of a whole ending",
    () => ({ frames: ["https://*.com"] }),
    { warned: /^frames\[0\] allows every site whose name ends with "\.com"/ },
  ],
  [
    "a frame with an impossible port",
    () => ({ frames: ["https://a.example.com:99999"] }),
    { refused: "frames[0]: must be like" },
  ],
  ["frames of one company", () => ({ frames: ["https://*.example.com"] }), null],
  [
    "a proxy with an impossible port",
    () => ({ outgoing: { proxy: "http://proxy.example.com:99999" } }),
    { refused: "outgoing.proxy must be" },
  ],
  [
    "a sign-in address with an impossible port",
    () => ({ ...signedIn, signIn: { ...signedIn.signIn, address: "https://inv.example.com:99999" } }),
    { refused: "signIn.address: must be like" },
  ],
  [
    "a secret of two lines",
    () => ({
      environments: [],
      signIn: { ...signedIn.signIn, address: "http://localhost:3000", secret: "env:LINES" },
    }),
    { warned: "signIn.secret names a variable with several lines" },
  ],
  [
    "no environment, for everybody",
    () => ({ host: "0.0.0.0", allowPlainHttp: true, hosts: ["inv.example.com"] }),
    { warned: "environments is empty: people see sample stock" },
  ],
  [
    "a cache beyond Node's memory",
    () => ({ cacheMegabytes: 4_096 }),
    { warned: /^cacheMegabytes is 4096, and Node may use \d+ MB in all/ },
  ],
  [
    "a cache beyond Node's memory, in Redis",
    () => ({ cacheMegabytes: 4_096, redis: { url: "redis://localhost:6379" } }),
    null,
  ],
  [
    "an equal port for metrics",
    () => ({ port: 3000, metricsAddress: "0.0.0.0:3000" }),
    { refused: "metricsAddress has the same port as port." },
  ],
  [
    "an address of metrics without a port",
    () => ({ metricsAddress: "0.0.0.0" }),
    { refused: "metricsAddress: must be like" },
  ],
  [
    "an address of metrics with an impossible port",
    () => ({ metricsAddress: "[::]:99999" }),
    { refused: "metricsAddress: must be like" },
  ],
  [
    "an equal port for the administrator",
    () => ({ port: 3000, monitoringPort: 3000 }),
    { refused: "monitoringPort is the same as port." },
  ],
  [
    "swapped certificate and key",
    () => tlsOf(certificate.key, certificate.cert),
    { refused: "Are tls.cert and tls.key swapped?" },
  ],
  [
    "a certificate as its key",
    () => tlsOf(certificate.cert, certificate.cert),
    { refused: "tls.key contains no private key in PEM." },
  ],
  [
    "an encrypted key",
    () => tlsOf(certificate.cert, encrypted()),
    { refused: "tls.key is encrypted with a password." },
  ],
  [
    "the key of another certificate",
    () => tlsOf(certificate.cert, selfSigned().key),
    { refused: "tls.key isn't the key of tls.cert." },
  ],
  [
    "a file without a certificate",
    () => tlsOf("nothing", certificate.key),
    { refused: "tls.cert contains no certificate in PEM." },
  ],
  [
    "a damaged certificate",
    () => tlsOf(certificate.cert.replace(/\n[^-]{20}/, "\n"), certificate.key),
    { refused: "aren't a certificate and its key in PEM" },
  ],
  [
    "an expired certificate",
    () => withTls(selfSigned({ from: days(-2), until: days(-1) })),
    { refused: /tls\.cert expired on .* GMT\./ },
  ],
  [
    "a certificate of tomorrow",
    () => withTls(selfSigned({ from: days(1), until: days(90) })),
    { refused: /tls\.cert isn't valid before .* GMT\./ },
  ],
  [
    "a certificate that expires soon",
    () => withTls(selfSigned({ from: days(-1), until: days(13) })),
    { warned: /tls\.cert expires on .* GMT, in less than 13 days/ },
  ],
  ["a certificate for 15 days", () => withTls(), null],
  [
    "a certificate of another name",
    () => ({ ...withTls(), hosts: ["localhost", "inv.example.com"] }),
    {
      warned:
        /^tls\.cert isn't for "inv\.example\.com", a name in hosts; it is for DNS:localhost, IP Address:127\.0\.0\.1\.$/,
    },
  ],
  [
    "a secret that doesn't exist",
    () => ({ ...signedIn, signIn: { ...signedIn.signIn, secret: "file:/nowhere" }, environments: [] }),
    { refused: "signIn.secret names a file that can't be used" },
  ],
];

describe("a start and --check say the same of", () => {
  it.each(tried)("%s", async (_what, settings, expected) => {
    // Made once, because two certificates may differ by a second.
    const given = settings();
    const checked = await outcomeOf(() => check(given));
    expect(await outcomeOf(() => start(given))).toEqual(checked);
    if (expected?.refused === undefined) {
      const warnings = expected?.warned === undefined ? [] : [expect.stringMatching(expected.warned)];
      expect(checked).toEqual({ refused: null, warnings });
    } else expect(checked.refused).toMatch(expected.refused);
  });

  it("any range of proxies", async () => {
    const bits = fc.oneof(
      fc.constant(""),
      fc.integer({ min: 0, max: 130 }).map((count) => `/${count}`),
    );
    const range = fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), bits).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(range, async (each) => {
        const settings = { trustProxy: [each] };
        expect(await outcomeOf(() => start(settings))).toEqual(await outcomeOf(() => check(settings)));
      }),
      { numRuns: slowRuns({ inTests: 20, inDrill: 500 }) },
    );
  });

  it("secrets, except those that only the unit has: a check by hand warns of them in the same words", async () => {
    const words = "environments[0].secret names a variable that isn't set.";
    expect(check(signedIn).warnings).toEqual([words, "signIn.secret names a variable that isn't set."]);
    expect((await outcomeOf(() => start(signedIn))).refused).toContain(words);
    const unit = { ...signedIn.signIn, secret: "file:/run/credentials/inv.service/none" };
    expect(check({ ...signedIn, signIn: unit }).warnings[1]).toContain("signIn.secret names a file");
  });
});

it("never repeats a name that is unlike every setting", () => {
  expect(() => check({ "s3cr3t-that-was-pasted": 1 })).toThrow(/1 name isn't a setting/);
  expect(() => check({ "s3cr3t-that-was-pasted": 1 })).not.toThrow(/s3cr3t/);
});

describe("--check --connect", () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  async function listens(listener: RequestListener): Promise<number> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  const at = (port: number) => ({
    tokenUrl: `http://127.0.0.1:${port}/token`,
    searchUrl: `http://127.0.0.1:${port}/search-items`,
    eventsUrl: `http://127.0.0.1:${port}/events`,
  });
  const triedWith = async (settings: object) => {
    const { config } = check(settings);
    return tryConnections(config, clockOf());
  };

  it("asks each host, and calls no data operation", async () => {
    const asked: string[] = [];
    const port = await listens((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
    });
    expect(await triedWith({ port: 0, environments: [{ ...live, ...at(port) }] })).toEqual([
      { what: "environments[0] (live)", faults: [] },
      { what: "port 0", faults: [] },
    ]);
    expect(asked).toEqual(["HEAD /"]);
  });

  it("names an unreachable host, and a taken port", async () => {
    const taken = await listens(() => undefined);
    const away = await listens(() => undefined);
    closers.pop()?.();
    const settings = { host: "127.0.0.1", port: taken, environments: [{ ...live, ...at(away) }] };
    expect(await triedWith(settings)).toEqual([
      {
        what: "environments[0] (live)",
        faults: [`http://127.0.0.1:${away} can't be reached: ECONNREFUSED.`],
      },
      {
        what: `port ${taken}`,
        faults: [
          `Port ${taken} is taken by another program. Stop it, or choose another with "port" or PORT=${taken + 1}. If it is INV, stop it for this check.`,
        ],
      },
    ]);
  });

  it.each([
    [200, { access_token: "t", token_type: "Bearer", expires_in: 900 }, []],
    [401, {}, ["live: The service refuses the credentials that the server holds."]],
  ])("asks for a token where the server holds the credentials: status %d", async (status, body, faults) => {
    const port = await listens((request, response) => {
      response.writeHead(request.url === "/token" ? status : 404, { "content-type": "application/json" });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    });
    const secret = `file:${folder.write("secret", "a-secret")}`;
    const environments = [{ ...live, ...at(port), credentials: "server", clientId: "acme", secret }];
    const signIn = { ...signedIn.signIn, issuer: `http://localhost:${port}` };
    const [environment, , provider] = await triedWith({ ...signedIn, port: 0, environments, signIn });
    expect(environment).toEqual({ what: "environments[0] (live)", faults });
    expect(provider?.faults).toEqual([expect.stringContaining("provider can't be used")]);
  });

  it("says why a secret can't be read, and never names its place, where somebody may have pasted it", async () => {
    const port = await listens((_request, response) => void response.writeHead(404).end());
    // As if by hand: the secrets exist only in the unit.
    const secret = "file:/run/the-secret-itself";
    const environments = [{ ...live, ...at(port), credentials: "server", clientId: "acme", secret }];
    const settings = { ...signedIn, port: 0, environments, signIn: { ...signedIn.signIn, secret } };
    const faults = (await triedWith(settings)).flatMap((each) => each.faults);
    const why = "The secret cannot be read: it doesn't exist.";
    expect(faults).toEqual([
      `live: ${why}`,
      `The sign-in provider can't be used at https://login.example.com: ${why} Until that changes, nobody can sign in.`,
    ]);
  });
});
