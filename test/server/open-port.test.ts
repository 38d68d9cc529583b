/** One sentence reports a port that can't be opened, the same for each setting. */
import { type AddressInfo, createServer } from "node:net";
import Fastify from "fastify";
import { openPort, portFault } from "../../src/server/open-port";

const errorOf = (host: string, port: number) =>
  openPort(Fastify(), { host, port }).catch((error: unknown) => error);

describe("opening the server's port", () => {
  it.each(["no-such-host.invalid", "203.0.113.7"])("reports that %s is not this machine", async (host) => {
    const error = await errorOf(host, 0);
    expect(portFault(error, { setting: "port", host, port: 0 })).toBe(
      `host "${host}" isn't a name or address of this machine.`,
    );
    expect(portFault(error, { setting: "metricsAddress", host, port: 0 })).toBe(
      `metricsAddress "${host}" isn't a name or address of this machine.`,
    );
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
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const error = await errorOf("127.0.0.1", port);
    expect(portFault(error, { setting, host: "127.0.0.1", port })).toBe(words(port));
    other.close();
  });
});
