/** `--check` and `--check --connect`: each mistake is named, and a correct configuration passes. About 3 s. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { checkSettings } from "../../src/server/settings/read";
import { tryConnections } from "../../src/server/try-connections";
import { selfSigned } from "../helpers/certificate";
import { ownFolder } from "../helpers/own-folder";
import { clockOf } from "./parts";

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
const withTls = () => ({
  tls: { cert: folder.write("cert.pem", certificate.cert), key: folder.write("key.pem", certificate.key) },
});

const check = (settings: object, nowMs = Date.now()) =>
  checkSettings({ path: folder.write("inv.json", JSON.stringify(settings)), variables: {} }, nowMs);

it.each<[string, () => object, string | RegExp]>([
  ["a setting with a typo", () => ({ prot: 3000 }), '"prot" isn\'t a setting of INV; did you mean "port"?'],
  [
    "a setting of an environment with a typo",
    () => ({ environments: [{ ...live, lable: "Live" }] }),
    'environments[0]: "lable" isn\'t a setting of INV; did you mean "label"?',
  ],
  [
    "one address for two operations",
    () => ({ environments: [{ ...live, eventsUrl: live.searchUrl }] }),
    "environments[0].eventsUrl is the same address as searchUrl.",
  ],
  [
    "no names of the server",
    () => ({ host: "0.0.0.0", ...withTls() }),
    /hosts is empty, and host is "0\.0\.0\.0"/,
  ],
])("--check names %s", (_, settings, named) => {
  expect(() => check(settings())).toThrow(named);
});

it("names a certificate from the moment it has expired", () => {
  const settings = withTls();
  expect(check(settings).config.tls).toMatchObject(certificate);
  expect(() => check(settings, Date.now() + 2 * 86_400_000)).toThrow(/tls\.cert expired on/);
});

it("never repeats a name that is unlike every setting", () => {
  expect(() => check({ "s3cr3t-that-was-pasted": 1 })).toThrow(/1 name isn't a setting/);
  expect(() => check({ "s3cr3t-that-was-pasted": 1 })).not.toThrow(/s3cr3t/);
});

it("passes by hand when secrets exist only in the unit, and warns of each", () => {
  expect(check(signedIn).warnings).toEqual([
    "environments[0].secret names a variable that isn't set.",
    "signIn.secret names a variable that isn't set.",
  ]);
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
  const tried = async (settings: object) => {
    const { config } = check(settings);
    return tryConnections(config, clockOf());
  };

  it("asks each host, and calls no data operation", async () => {
    const asked: string[] = [];
    const port = await listens((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
    });
    expect(await tried({ port: 0, environments: [{ ...live, ...at(port) }] })).toEqual([
      { what: "environments[0] (live)", faults: [] },
      { what: "port 0", faults: [] },
    ]);
    expect(asked).toEqual(["HEAD /"]);
  });

  it("names an unreachable host, a taken port, and how long the certificate is valid", async () => {
    const taken = await listens(() => undefined);
    const away = await listens(() => undefined);
    closers.pop()?.();
    const settings = {
      host: "127.0.0.1",
      port: taken,
      ...withTls(),
      environments: [{ ...live, ...at(away) }],
    };
    expect(await tried(settings)).toEqual([
      {
        what: "environments[0] (live)",
        faults: [`http://127.0.0.1:${away} can't be reached: ECONNREFUSED.`],
      },
      {
        what: `port ${taken}`,
        faults: [`Port ${taken} is in use. If INV is running, stop it for this check.`],
      },
      { what: expect.stringMatching(/^tls\.cert, valid until .* GMT$/) as string, faults: [] },
    ]);
  });

  it("names each host that the certificate isn't for", async () => {
    const port = await listens((_request, response) => void response.writeHead(404).end());
    const settings = { ...withTls(), port: 0, environments: [{ ...live, ...at(port) }] };
    const [, , own] = await tried({ ...settings, hosts: ["localhost"] });
    expect(own?.faults).toEqual([]);
    const [, , other] = await tried({ ...settings, hosts: ["localhost", "inv.example.com"] });
    expect(other?.faults).toEqual([
      'tls.cert isn\'t for "inv.example.com", a name in hosts; it is for DNS:localhost, IP Address:127.0.0.1.',
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
    const [environment, , provider] = await tried({ ...signedIn, port: 0, environments, signIn });
    expect(environment).toEqual({ what: "environments[0] (live)", faults });
    expect(provider?.faults).toEqual([expect.stringContaining("provider can't be asked")]);
  });

  it("says why a secret can't be read, and never names its place, where somebody may have pasted it", async () => {
    const port = await listens((_request, response) => void response.writeHead(404).end());
    const secret = "file:the-secret-itself";
    const environments = [{ ...live, ...at(port), credentials: "server", clientId: "acme", secret }];
    const settings = { ...signedIn, port: 0, environments, signIn: { ...signedIn.signIn, secret } };
    const faults = (await tried(settings)).flatMap((each) => each.faults);
    const why = "The secret cannot be read: it doesn't exist.";
    expect(faults).toEqual([
      `live: ${why}`,
      `The sign-in provider can't be asked at https://login.example.com: ${why} Until that changes, nobody can sign in.`,
    ]);
  });
});
