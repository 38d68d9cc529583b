/** A port of this machine that nobody listens on. */
import { type AddressInfo, createServer } from "node:net";

/** Nobody takes it between two of our processes. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
