/** One sentence reports a port that can't be opened. */
import { type AddressInfo, createServer } from "node:net";
import Fastify from "fastify";
import { addressFault, isPortTaken, openPort } from "../../src/server/open-port";

const errorOf = (host: string, port: number) =>
  openPort(Fastify(), { host, port }).catch((error: unknown) => error);

describe("opening the server's port", () => {
  it.each(["no-such-host.invalid", "203.0.113.7"])("reports that %s is not this machine", async (host) => {
    const error = await errorOf(host, 0);
    expect(addressFault(error, { host, port: 0 })).toBe(
      `host "${host}" isn't a name or address of this machine.`,
    );
  });

  it("reports that the account may not open a low port, and keeps other errors", () => {
    const denied = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    expect(addressFault(denied, { host: "localhost", port: 443 })).toContain("may not open port 443");
    expect(addressFault(new Error("other"), { host: "localhost", port: 0 })).toBeNull();
  });

  it("recognizes a port that another program uses", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const error = await errorOf("127.0.0.1", (other.address() as AddressInfo).port);
    expect(isPortTaken(error)).toBe(true);
    other.close();
  });
});
