/** The names under which the server answers, and whose requests the relay accepts. */
import Fastify, { type FastifyInstance } from "fastify";
import { sendCommonHeaders } from "../../../src/server/edge/headers";
import { requireKnownHost } from "../../../src/server/edge/hosts";
import { ownFolder } from "../../helpers/own-folder";
import { openApp } from "../beds";
import { settings } from "../parts";

const folder = ownFolder();
let app: FastifyInstance;

beforeAll(async () => {
  folder.write("workbook.html", "<p>workbook</p>");
  const config = settings({ host: "10.0.0.7", hosts: ["inv.example.com"] });
  app = await openApp({ config, folder: folder.path });
});
afterAll(() => app.close());

const statusOf = async (url: string, headers: Record<string, string>) =>
  (await app.inject({ url, headers })).statusCode;

describe("the server", () => {
  it.each([
    "localhost",
    "localhost:3000",
    "LOCALHOST:3000",
    "127.0.0.1:3000",
    "[::1]:3000",
    "10.0.0.7",
    "inv.example.com",
    "inv.example.com:8443",
  ])("answers as %s", async (host) => {
    expect(await statusOf("/", { host })).toBe(200);
  });

  it.each([
    "evil.example",
    "inv.example.com.evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "localhost:3000:evil",
    "localhost, evil.example",
    "10.0.0.8",
    "127.0.0.1.nip.io",
    "[::2]:3000",
    "localhost ",
    "user@localhost",
  ])("does not answer as '%s': no page, no list, no relay, no demo", async (host) => {
    for (const url of ["/", "/environments.json", "/relay/demo/events", "/demo-data", "/healthz/"]) {
      expect([url, await statusOf(url, { host })]).toEqual([url, 421]);
    }
  });

  it("reports its health to a load balancer that asks by address", async () => {
    expect(await statusOf("/healthz", { host: "192.168.7.7:3000" })).toBe(200);
  });
});

describe("the relay", () => {
  const token = (headers: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: "/relay/demo/token",
      headers: { host: "inv.example.com", "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: "grant_type=client_credentials&client_id=demo-consumer&client_secret=demo-secret",
    });

  it.each<[string, Record<string, string>]>([
    ["a page of its own", { "sec-fetch-site": "same-origin", origin: "https://inv.example.com" }],
    ["a page of its own in an old browser", { origin: "http://inv.example.com" }],
    ["a program", {}],
  ])("answers %s", async (_who, headers) => {
    expect((await token(headers)).statusCode).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ["a page elsewhere", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a page of the same company", { "sec-fetch-site": "same-site" }],
    ["a link in a mail", { "sec-fetch-site": "none" }],
    ["a page that claims this origin", { "sec-fetch-site": "cross-site", origin: "https://inv.example.com" }],
    ["a page elsewhere in an old browser", { origin: "https://evil.example" }],
    ["a page on another port", { origin: "https://inv.example.com:8443" }],
    ["a page without an origin", { origin: "null" }],
    ["an invalid origin", { origin: "inv.example.com" }],
    ["an unknown value", { "sec-fetch-site": "" }],
  ])("refuses %s", async (_who, headers) => {
    expect((await token(headers)).statusCode).toBe(403);
    const events = await app.inject({
      url: "/relay/demo/events",
      headers: { host: "inv.example.com", ...headers },
    });
    expect(events.statusCode).toBe(403);
  });
});

describe("under TLS", () => {
  it("the server sends HSTS, except for this machine's own names", async () => {
    const fastify = Fastify();
    sendCommonHeaders(fastify, { tls: true });
    requireKnownHost(fastify, { host: "0.0.0.0", hosts: ["inv.example.com"] });
    fastify.get("/", () => "");
    const said = async (host: string) =>
      (await fastify.inject({ url: "/", headers: { host } })).headers["strict-transport-security"];
    expect(await said("inv.example.com")).toBe("max-age=31536000");
    expect(await said("localhost:3000")).toBeUndefined();
    expect(await said("127.0.0.1")).toBeUndefined();
    await fastify.close();
  });
});

describe("behind a proxy", () => {
  /** The statuses of refused token requests, ten for one forwarded address and then one for another. */
  async function guesses(trustProxy: string[]): Promise<number[]> {
    const server = await openApp({ config: settings({ trustProxy }) });
    const guess = async (from: string) =>
      (
        await server.inject({
          method: "POST",
          url: "/relay/demo/token",
          remoteAddress: "10.0.0.5",
          headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": from },
          payload: "grant_type=client_credentials&client_id=demo-consumer&client_secret=guessed",
        })
      ).statusCode;
    for (let time = 0; time < 10; time += 1) expect(await guess("192.168.1.1")).not.toBe(429);
    const statuses = [await guess("192.168.1.1"), await guess("192.168.1.2")];
    await server.close();
    return statuses;
  }

  it("that is trusted, guesses count by the address that it names, so that one person who guesses stops nobody else", async () => {
    const [guesser, other] = await guesses(["10.0.0.0/24"]);
    expect(guesser).toBe(429);
    expect(other).not.toBe(429);
  });

  it("that is not trusted, a caller's claimed address gives it no further guesses", async () => {
    expect(await guesses([])).toEqual([429, 429]);
    expect(await guesses(["10.9.9.9"])).toEqual([429, 429]);
  });
});
