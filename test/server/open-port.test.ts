/** One sentence reports a port that can't be opened, the same for each setting. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import Fastify from "fastify";
import { openPort, portFault, type PortSetting } from "../../src/server/open-port";
import type { ConfigError } from "../../src/server/settings/config-error";

const refusalOf = (given: PortSetting) =>
  openPort(Fastify(), given).catch((error: unknown) => (error as ConfigError).message);

/** The first line of the answer to a request, or that the connection was closed without one. */
const outcomeOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? ""));
    socket.once("close", () => resolve("refused"));
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });

describe("opening the server's port", () => {
  const closers: (() => unknown)[] = [];
  afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === "::1"),
  );
  (hasIpv6 ? it : it.skip)(
    "limits the connections at both addresses of localhost, and answers there",
    async () => {
      const fastify = Fastify({ forceCloseConnections: true });
      closers.push(() => fastify.close());
      fastify.get("/", () => "here");
      fastify.server.maxConnections = 2;
      let refused = 0;
      fastify.server.on("drop", () => (refused += 1));
      const addresses = ["127.0.0.1", "::1"];
      const port = await openPort(fastify, { setting: "port", host: "localhost", port: 0 }, () =>
        Promise.resolve(addresses),
      );
      for (const [index, host] of addresses.entries()) {
        const sockets = Array.from({ length: 3 }, () => connect(port, host).on("error", () => undefined));
        const outcomes = await Promise.all(sockets.map(outcomeOf));
        expect(outcomes.sort()).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "refused"]);
        expect(refused).toBe(index + 1);
        for (const socket of sockets) socket.destroy();
      }
      await fastify.close();
      expect(await once(connect(port, "::1"), "error")).toMatchObject([{ code: "ECONNREFUSED" }]);
    },
  );

  it.each(["no-such-host.invalid", "203.0.113.7"])("reports that %s is not this machine", async (host) => {
    const words = `"${host}" isn't a name or address of this machine.`;
    expect(await refusalOf({ setting: "port", host, port: 0 })).toBe(`host ${words}`);
    expect(await refusalOf({ setting: "metricsAddress", host, port: 0 })).toBe(`metricsAddress ${words}`);
  });

  it("reports that the account may not open a low port, and the code of any other error", () => {
    const failed = (code: string) =>
      portFault(Object.assign(new Error(`listen ${code}`), { code }), {
        setting: "port",
        host: "localhost",
        port: 443,
      });
    expect(failed("EACCES")).toContain("This account may not open port 443 on localhost.");
    expect(failed("EMFILE")).toBe("Port 443 can't be opened: EMFILE.");
  });

  it.each([
    [
      "port",
      (port: number) =>
        `Port ${port} is taken by another program. Stop it, or choose another with "port" or PORT=${port + 1}.`,
    ],
    [
      "monitoringPort",
      (port: number) => `monitoringPort ${port} is taken by another program. Stop it, or choose another.`,
    ],
  ] as const)("reports that another program uses %s", async (setting, words) => {
    const other = createServer().listen(0, "127.0.0.1");
    closers.push(() => other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    expect(await refusalOf({ setting, host: "127.0.0.1", port })).toBe(words(port));
  });
});
